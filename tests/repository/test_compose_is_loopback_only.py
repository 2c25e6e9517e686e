"""The containers: one published port, on this machine; pinned images; no waiting for a model."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
SERVICES = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))["services"]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def test_only_the_app_is_published_and_on_loopback():
    assert {name: service["ports"] for name, service in SERVICES.items() if "ports" in service} == {
        "app": ["127.0.0.1:8501:8501"]
    }
    assert not any(service.get("network_mode") == "host" for service in SERVICES.values())


@pytest.mark.parametrize("name", [name for name, service in SERVICES.items() if "image" in service])
def test_image_is_pinned_to_a_version(name):
    tag = SERVICES[name]["image"].rpartition(":")[2]
    assert re.match(r"\d+\.\d+\.\d+", tag)


def test_servers_have_health_checks():
    assert "healthcheck" in SERVICES["database"]
    assert "healthcheck" in SERVICES["ollama"]
    assert "/_stcore/health" in DOCKERFILE


def test_model_is_pulled_once_and_nobody_waits_for_it():
    assert SERVICES["ollama-pull"]["restart"] == "no"
    assert SERVICES["ollama-pull"]["depends_on"] == {"ollama": {"condition": "service_healthy"}}
    assert not any("ollama-pull" in service.get("depends_on", {}) for service in SERVICES.values())


def test_pulled_model_is_the_one_that_the_app_asks_for():
    assert SERVICES["ollama-pull"]["command"][1] == SERVICES["app"]["environment"]["RAGCORE_CHAT_MODEL"]


def test_app_waits_for_a_healthy_database():
    assert SERVICES["app"]["depends_on"]["database"] == {"condition": "service_healthy"}


def test_database_has_memory_for_an_index_build():
    assert "shared_buffers=1GB" in SERVICES["database"]["command"]
    assert "maintenance_work_mem=1GB" in SERVICES["database"]["command"]
    assert int(SERVICES["database"]["shm_size"].removesuffix("mb")) > 1024


def test_image_does_not_run_as_root():
    users = re.findall(r"^USER (\S+)", DOCKERFILE, flags=re.MULTILINE)
    assert users == ["plumbline"]
    assert DOCKERFILE.index("USER plumbline") < DOCKERFILE.index("\nCMD ")


def test_packages_are_installed_before_the_code_is_copied():
    assert DOCKERFILE.index("pip install -r requirements.txt") < DOCKERFILE.index("COPY . .")


@pytest.mark.parametrize("kept_out", [".env", ".git", ".venv", "tests"])
def test_image_leaves_out(kept_out):
    assert kept_out in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()


def test_example_environment_names_what_settings_reads():
    pattern = r"\b(?:RAGCORE_[A-Z_]+|OLLAMA_HOST)\b"
    read = set(re.findall(pattern, (ROOT / "ragcore" / "settings.py").read_text(encoding="utf-8")))
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    documented = set(re.findall(r"^#(\w+)=", example, flags=re.MULTILINE))
    assert documented == read
    assert set(SERVICES["app"]["environment"]) <= read
