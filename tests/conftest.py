"""What all tests share: the raw roots of specimens and real dumps, hypothesis settings."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.toy import TOYS, Desk

ROOT = Path(__file__).parent.parent

settings.register_profile(
    "default", deadline=None, max_examples=40, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("deep", deadline=None, max_examples=1000, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(scope="session")
def specimens() -> Path:
    """Return the raw root of the repository, which holds the invented dumps."""
    return ROOT / "raw"


@pytest.fixture(scope="session")
def real_raw() -> Path:
    """Return the raw root of the real dumps, which are not part of the repository.

    Asked in turn: ``CONSPECTUS_REAL_RAW``, ``../shared/raw``. A root that is named but missing is a failure.
    """
    named = os.environ.get("CONSPECTUS_REAL_RAW")
    root = Path(named) if named else ROOT.parent / "shared" / "raw"
    if not named and not root.is_dir():
        pytest.skip("no real dumps here: they are not part of the repository, CONSPECTUS_REAL_RAW names their root")
    assert root.is_dir()
    return root


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Give a test its own raw and out root, and the two invented sources instead of the real ones."""
    monkeypatch.setattr("pipeline.refresh.sources", lambda: TOYS)
    monkeypatch.setattr("pipeline.commands.known_sources", lambda: TOYS)
    return Desk(tmp_path)
