/** The text of `/metrics`, as a standard parser reads it. */
import { createRequire } from 'node:module'
import type { Labels } from '../../ports/telemetry.ts'

export type Family = {
  readonly name: string
  readonly type: string
  readonly help: string
  readonly metrics: readonly {
    readonly labels?: Labels
    readonly value?: string
    readonly buckets?: Readonly<Record<string, string>>
  }[]
}

/** The library brings no types. */
export function parsePrometheus(text: string): ReadonlyMap<string, Family> {
  const parse = createRequire(import.meta.url)('parse-prometheus-text-format') as (
    text: string,
  ) => readonly Family[]
  return new Map(parse(text).map((family) => [family.name, family]))
}

/** Labels and value of every sample of a series. */
export function samples(family: Family | undefined): readonly (readonly [Labels, string])[] {
  return (family?.metrics ?? []).map(({ labels = {}, value = '' }) => [labels, value] as const)
}
