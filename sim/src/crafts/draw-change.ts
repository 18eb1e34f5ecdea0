/** What a crafter wants to change, by the text as it is: mostly what it may, sometimes what it may not. */
import type { JsonObject } from 'rubicon-kernel'
import { listSymbols } from '../audit/symbols.ts'
import type { Rng } from '../rng.ts'
import { COUNTER, type CrafterName, SHOP } from './craft-project.ts'

export type DrawnChange = {
  readonly artifact: string
  readonly delta: JsonObject
  /** What it writes, as its author believes. */
  readonly symbols: readonly string[]
}

const OPS = { add: 8, replace: 5, remove: 2, rename: 1.5 } as const

/** Classes that it may write into. */
const CLASSES: Readonly<Record<CrafterName, readonly (readonly [string, string])[]>> = {
  mason: [
    [SHOP, 'Shelf'],
    [SHOP, 'Till'],
    [COUNTER, 'Counter'],
  ],
  joiner: [
    [SHOP, 'Shelf'],
    [SHOP, 'Till'],
  ],
  painter: [
    [SHOP, 'Shelf'],
    [COUNTER, 'Counter'],
  ],
}

/** `read`: the text of an artifact; null: none. Null: nothing there can be changed. */
export function drawChange(
  rng: Rng,
  agent: CrafterName,
  read: (name: string) => string | null,
): DrawnChange | null {
  // Now and then beyond what it may write.
  const whose = rng.drawChance(0.05) ? 'mason' : agent
  const [artifact, name] = rng.pick(CLASSES[whose])
  const text = read(artifact)
  if (text === null) return null
  const holder = `class:${name}`
  const methods = [...listSymbols(text).keys()].filter((path) => path.startsWith(`${holder}/`))
  const target = methods.length === 0 ? null : rng.pick(methods)
  const op = target === null ? 'add' : rng.pickWeighted(OPS)
  const value = rng.drawBelow(1000)
  const buildChange = (delta: JsonObject, path: string): DrawnChange => {
    return { artifact, delta, symbols: [`${artifact} ${path}`] }
  }
  if (op === 'rename') return drawRename(rng, listSymbols(read(SHOP) ?? ''))
  if (op === 'add' || target === null) return drawAddition(rng, artifact, holder)
  if (op === 'remove') return buildChange({ op: 'remove', target }, target)
  return buildChange({ op: 'replaceBody', target, fragment: `{\n    return ${value}\n  }` }, target)
}

/** A method at the end of a class. */
export function drawAddition(rng: Rng, artifact: string, holder: string): DrawnChange {
  // Few enough that two want the same name.
  const added = `m${rng.drawBelow(30)}`
  const fragment = `${added}(): number {\n  return ${rng.drawBelow(1000)}\n}`
  const delta = { op: 'addMember', target: holder, fragment }
  return { artifact, delta, symbols: [`${artifact} ${holder}/method:${added}`] }
}

/** One that both may write into: its artifact, and its path there. */
export function drawSharedClass(
  rng: Rng,
  one: CrafterName,
  other: CrafterName,
): readonly [artifact: string, holder: string] {
  const others = CLASSES[other].map((place) => place.join(' '))
  const [artifact, name] = rng.pick(
    CLASSES[one].filter((place) => others.includes(place.join(' '))),
  )
  return [artifact, `class:${name}`]
}

/** Of the one function that both files have to do with. */
function drawRename(rng: Rng, symbols: ReadonlyMap<string, string>): DrawnChange | null {
  const target = [...symbols.keys()].find((path) => path.startsWith('function:'))
  if (target === undefined) return null
  const name = `price${rng.drawBelow(30)}`
  const users = ['import:./shop.ts', 'function:countAll'].map((path) => `${COUNTER} ${path}`)
  return {
    artifact: SHOP,
    delta: { op: 'rename', target, name },
    symbols: [`${SHOP} ${target}`, `${SHOP} function:${name}`, ...users],
  }
}
