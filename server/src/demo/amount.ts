/** 38750000 as people read it: 38,750,000. Works on text, so that no digit is lost. */
export function formatAmount(value: unknown): string {
  const [whole = '', fraction] = String(value).split('.')
  let grouped = ''
  for (const [index, digit] of [...whole].entries()) {
    const left = whole.length - index
    const separate = index > 0 && left % 3 === 0 && whole.at(index - 1) !== '-'
    grouped += `${separate ? ',' : ''}${digit}`
  }
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}
