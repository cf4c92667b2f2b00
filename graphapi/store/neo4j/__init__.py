"""The graph store on Neo4j: the graph that Graphiti's concepts and facts live in too."""

from graphapi.store.neo4j.store import Neo4jStore

__all__ = ["Neo4jStore"]
