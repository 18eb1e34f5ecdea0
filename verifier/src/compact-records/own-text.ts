/**
 * A text that was cut from a line keeps the whole line in memory. What stays for good is written down anew: with
 * a character before it that is cut off again, so that it keeps only itself and that.
 */
export function copyText(text: string): string {
  return ` ${text}`.slice(1)
}
