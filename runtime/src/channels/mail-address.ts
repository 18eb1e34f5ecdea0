/** One address in the plain form, in ASCII: no name, no comment, no list, and no end of a line. */
const ADDRESS =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/

export function isMailAddress(text: string): boolean {
  return text.length <= 254 && ADDRESS.test(text)
}
