"""Codes for a phone's camera."""

from __future__ import annotations


def svg(text: str, *, dense: bool = False) -> bytes | None:
    """A code as a picture; None for a text that no code can hold. `dense`: more fits in, less of it may be dirty."""
    import qrcode  # noqa: PLC0415  # brings PIL with it, which no page needs before somebody looks at a code
    from qrcode.exceptions import DataOverflowError  # noqa: PLC0415  # as above
    from qrcode.image.svg import SvgPathFillImage  # noqa: PLC0415  # as above

    levels = qrcode.constants
    code = qrcode.QRCode(
        border=2, error_correction=levels.ERROR_CORRECT_L if dense else levels.ERROR_CORRECT_M
    )
    code.add_data(text)
    try:
        drawn: bytes = code.make_image(image_factory=SvgPathFillImage).to_string()
    except (DataOverflowError, ValueError):
        return None
    return drawn
