# One image, one process tree: `revetly supervise` runs the pages and the worker.
# A mounted project belongs to a user of the host, so git is told that what is mounted here was meant to be.
FROM python:3.11-slim-bookworm

RUN apt-get update \
    && apt-get install --yes --no-install-recommends git \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 10001 revetly \
    && git config --system --add safe.directory '*' \
    && mkdir /data /projects \
    && chown revetly:revetly /data /projects

WORKDIR /app
COPY requirements.txt ./
RUN pip install --no-cache-dir -r requirements.txt
COPY pyproject.toml README.md manage.py ./
COPY revetly_site revetly_site
COPY graphapi graphapi
COPY reviews reviews
COPY evals evals
COPY templates templates
COPY static static
RUN pip install --no-cache-dir --no-deps --editable .

USER revetly
ENV REVETLY_HOME=/data
VOLUME ["/data"]
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["revetly", "supervise", "--host", "0.0.0.0", "--port", "8000"]
