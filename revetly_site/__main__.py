"""`python -m revetly_site`: the command tree, where the `revetly` program is not installed."""

from revetly_site.cli import main

main()
