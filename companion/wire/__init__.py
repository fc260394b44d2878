"""What crosses a boundary: bytes to values and back. Pure, no device."""
