/** Deltas on the module of `drawModule`, as several authors may want them. */
import type { Delta } from 'rubicon-artifacts'
import type { Rng } from '../rng.ts'
import { drawModule, type MistakeCase, type SeededMistake, toBatch } from './violation.ts'

/** Deltas of several authors on one drawn module. */
export function plant(
  name: string,
  codes: readonly string[],
  write: (id: string, rng: Rng) => readonly (readonly Delta[])[],
): SeededMistake {
  const build = (rng: Rng): MistakeCase => {
    const text = drawModule(rng)
    return { text, batch: toBatch(...write(text.id, rng)) }
  }
  return { name, codes, build }
}

export function addMethod(id: string, name: string, body = '1'): Delta {
  const fragment = `${name}(): number {\n  return ${body}\n}`
  return { op: 'addMember', target: `class:Store${id}`, fragment }
}

export function addTo(target: string, fragment: string): Delta {
  return { op: 'addMember', target, fragment }
}

export function replaceBody(target: string, fragment: string): Delta {
  return { op: 'replaceBody', target, fragment }
}
