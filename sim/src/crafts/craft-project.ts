/** The small project that agents of the storm change, who they are, and what each of them may write. */

/** They want the same classes, and none of them may write everything. */
export const CRAFTERS = ['mason', 'joiner', 'painter'] as const
export type CrafterName = (typeof CRAFTERS)[number]

export const SHOP = 'src/shop.ts'
export const COUNTER = 'src/counter.ts'

export const PROJECT: Readonly<Record<string, string>> = {
  [SHOP]: `export class Shelf {
  first(): number {
    return 1
  }

  second(): number {
    return 2
  }
}

export class Till {
  open(): number {
    return 3
  }
}

export function price(): number {
  return 5
}
`,
  [COUNTER]: `import { price } from './shop.ts'

export class Counter {
  total(): number {
    return 4
  }
}

export function countAll(): number {
  return price()
}
`,
}

export const NAMES: readonly string[] = Object.keys(PROJECT)

/** As in a contract. Whoever may write all of a file may adopt it. */
export const WRITABLE: Readonly<Record<CrafterName, readonly string[]>> = {
  mason: ['*'],
  joiner: [SHOP, `${SHOP} class:Shelf/*`, `${SHOP} class:Till/*`],
  painter: [`${SHOP} class:Shelf/*`, `${COUNTER} class:Counter/*`],
}

export const WRITING_KINDS: readonly string[] = [
  'artifact.plan',
  'artifact.apply',
  'artifact.withdraw',
  'artifact.adopt',
]
export const READING_KINDS: readonly string[] = [
  'artifact.list',
  'artifact.symbols',
  'artifact.read',
]

/** How long a plan claims what it names: some are over before they are applied. */
export const PLAN_MS = 12_000
