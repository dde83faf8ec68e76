"""A plugin of pytest for array-api-tests: Hypothesis fills its arrays cell by cell, which a sparse tensor does not allow, so NumPy makes
them, and they become tensors in a sparse format."""
import numpy as np
import pytest
from hypothesis import Phase, settings
from hypothesis.extra import array_api

import tessera as ts

_draw = array_api.ArrayStrategy.do_draw
_namespace = array_api.make_strategies_namespace


def _drawn(self, data):
    own, self.xp = self.xp, np
    try:
        made = np.asarray(_draw(self, data))
    finally:
        self.xp = own
    if made.ndim == 0:
        return ts.asarray(made) if made.dtype != np.bool_ else made[()]
    tensor = ts.asarray(made)
    sparse = made.size > 0 and made.dtype != np.bool_
    return tensor.convert({1: "cvec", 2: "csr"}.get(made.ndim, "coo")) if sparse else tensor


def _make(xp, *, api_version=None):
    known = getattr(array_api, "RELEASED_VERSIONS", ())
    return _namespace(xp, api_version=api_version if api_version in known else "2021.12")


settings.register_profile("found", phases=(Phase.explicit, Phase.generate))  # failures as they are found: most are in the list
settings.load_profile("found")
array_api.ArrayStrategy.do_draw = _drawn
array_api.make_strategies_namespace = _make


@pytest.fixture
def json_metadata():
    """Of pytest-json-report, whose report is not needed."""
    return {}
