"""How benchmarks print what they measured, so that `make bench` can read it."""

FIGURE = "figure:"


def show_figure(name: str, value: float, unit: str) -> None:
    """Print one figure on a line of its own: `figure: second_start.sign_in 0.93 s`."""
    print(f"{FIGURE} {name} {value:.4g} {unit}", flush=True)


def read_figures(printed: str) -> dict[str, tuple[float, str]]:
    """Return the figures in what a benchmark printed: value and unit by name."""
    lines = (line.split(maxsplit=3) for line in printed.splitlines() if line.startswith(FIGURE))
    return {name: (float(value), unit) for _, name, value, unit in lines}
