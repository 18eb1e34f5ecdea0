const NUMERAL = /^-?\d{4,}(\.\d+)?$/

/** `100000.5` → `100,000.5`; whatever is no such number stays as it is. */
export function formatAmount(text: string): string {
  if (!NUMERAL.test(text)) return text
  const [whole = '', fraction] = text.split('.')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}
