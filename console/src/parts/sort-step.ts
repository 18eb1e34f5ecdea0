/** The order of a list as the address says it: a column, with - before it the largest first. */

/** The head of a column is pressed: its own way first, then the other one, then the usual order again. */
export function toggleSort(current: string, first: string, usual: string): string {
  if (current !== first) return current === invertSort(first) ? usual : first
  return invertSort(first)
}

export function invertSort(sort: string): string {
  return sort.startsWith('-') ? sort.slice(1) : `-${sort}`
}

export function describeSort(current: string, first: string): 'ascending' | 'descending' | 'none' {
  if (current !== first && current !== invertSort(first)) return 'none'
  return current.startsWith('-') ? 'descending' : 'ascending'
}
