const LONGEST = 128

/**
 * `MAJOR.MINOR.PATCH`, with a pre-release if any. Build metadata is refused: two versions that
 * differ only there have the same rank, and a contract's versions must be in order.
 */
export function isSemver(text: string): boolean {
  if (text.length > LONGEST) return false
  const dash = text.indexOf('-')
  const core = (dash < 0 ? text : text.slice(0, dash)).split('.')
  if (core.length !== 3 || !core.every(isNumeric)) return false
  return (
    dash < 0 ||
    text
      .slice(dash + 1)
      .split('.')
      .every(isPrereleasePart)
  )
}

function isPrereleasePart(part: string): boolean {
  let digits = 0
  for (let i = 0; i < part.length; i += 1) {
    const code = part.charCodeAt(i)
    if (isDigit(code)) digits += 1
    else if (!isLetter(code) && code !== 0x2d) return false
  }
  return digits < part.length || isNumeric(part)
}

/** Without superfluous zeros: `01` and `1` would be one version in two spellings. */
function isNumeric(part: string): boolean {
  if (part.length === 0 || (part.length > 1 && part.startsWith('0'))) return false
  for (let i = 0; i < part.length; i += 1) if (!isDigit(part.charCodeAt(i))) return false
  return true
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
}
