from revetly_site.celery import app as celery

__all__ = ["celery"]
