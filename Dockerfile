# The app alone; docker-compose.yml adds Postgres and Ollama. No model is downloaded: the
# default embedder comes with its wheel.
FROM python:3.11-slim

ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    RAGCORE_HOME=/data

WORKDIR /app

# PyPI's torch for Linux brings several gigabytes of CUDA. A host without a GPU saves them with
#   --build-arg PIP_EXTRA_INDEX_URL=<address of PyTorch's CPU wheels>
ARG PIP_EXTRA_INDEX_URL=""

# Packages first: they change seldom, so this layer stays cached while the code changes.
COPY requirements.txt constraints.txt ./
RUN pip install -r requirements.txt

RUN useradd --create-home --uid 1000 plumbline && install -d -o plumbline -g plumbline /data
COPY . .
USER plumbline
VOLUME /data
EXPOSE 8501

HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=5 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]

# 0.0.0.0 is the container's own network: publish the port on 127.0.0.1, as docker-compose.yml does.
CMD ["streamlit", "run", "streamlit_app.py", "--server.address", "0.0.0.0", "--server.headless", "true"]
