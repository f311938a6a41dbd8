"""An output below its source."""

from annotation.protocols.layouts.layout import Layout

SOURCE_AND_OUTPUT = Layout()
