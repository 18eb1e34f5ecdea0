/** `mod` is the key with which a system's own shortcuts are pressed. */
export function formatKeyName(key: string, apple: boolean = isApple()): string {
  const [held, ...rest] = key.split('+')
  if (held !== 'mod' || rest.length === 0) return key
  const pressed = rest.join('+').toUpperCase()
  return apple ? `⌘${pressed}` : `Ctrl+${pressed}`
}

function isApple(): boolean {
  return /^(Mac|iPhone|iPad)/.test(navigator.platform)
}
