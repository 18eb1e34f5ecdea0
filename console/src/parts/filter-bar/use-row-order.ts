import { changeQuery, usePlace } from '../../url/location.ts'
import type { RowOrder } from '../rows.tsx'

type Measured = { readonly measure: string | null }

/**
 * The order of a list, in the address. Amounts of several measures cannot be compared: whoever sorts by them sees those
 * of one, that of the first row, as a filter that can be changed.
 */
export function useRowOrder(usual: string, rows: readonly Measured[] = []): RowOrder {
  const { query } = usePlace()
  const first = rows.find(({ measure }) => measure !== null)?.measure ?? ''
  return {
    value: query.get('sort') ?? usual,
    usual,
    change(sort) {
      const isCompared = sort.endsWith('amount') && !query.has('measure')
      const measure = isCompared && first !== '' ? { measure: first } : {}
      changeQuery({ sort: sort === usual ? '' : sort, ...measure })
    },
  }
}
