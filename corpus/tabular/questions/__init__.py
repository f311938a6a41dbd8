"""Questions about results whose structure is odd, and what their answers change."""
