/**
 * Rows keep their places while somebody reads them: what is new comes below, and what is gone leaves. When the page is
 * opened again they stand in the server's order.
 */
import { useEffect, useRef } from 'react'

export function keepOrder<T>(
  before: readonly string[],
  rows: readonly T[],
  idOf: (row: T) => string,
): readonly T[] {
  const places = new Map(before.map((id, place) => [id, place]))
  const known = rows
    .filter((row) => places.has(idOf(row)))
    .toSorted((a, b) => (places.get(idOf(a)) ?? 0) - (places.get(idOf(b)) ?? 0))
  return [...known, ...rows.filter((row) => !places.has(idOf(row)))]
}

export function useKeptOrder<T>(rows: readonly T[], idOf: (row: T) => string): readonly T[] {
  const before = useRef<readonly string[]>([])
  const kept = keepOrder(before.current, rows, idOf)
  useEffect(() => {
    before.current = kept.map(idOf)
  })
  return kept
}
