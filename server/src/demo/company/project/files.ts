/** The project that the developers of the demo company work on: a few small files, which nobody else needs. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { JsonObject } from 'rubicon-kernel'

export const CART = 'src/cart.ts'
export const CHECKOUT = 'src/checkout.ts'
export const CONFIG = 'config/shop.yaml'
export const REQUIREMENTS = 'docs/requirements.md'

export const PROJECT_FILES: Readonly<Record<string, string>> = {
  [CART]: `export type Item = { readonly name: string; readonly cents: number }

/** What a customer is about to buy. */
export class Cart {
  readonly items: Item[] = []

  add(item: Item): void {
    this.items.push(item)
  }

  total(): number {
    return this.items.reduce((sum, { cents }) => sum + cents, 0)
  }
}
`,
  [CHECKOUT]: `import { Cart, type Item } from './cart.ts'

/** In cents. */
export const SHIPPING = 490

export function buy(items: readonly Item[]): number {
  const cart = new Cart()
  for (const item of items) cart.add(item)
  return cart.total() + SHIPPING
}
`,
  [CONFIG]: `# Of the shop. Whoever changes it tells the people on call.
checkout:
  timeout:  30     # seconds; the bank needs up to 20
  retries:  2
  currency: EUR

search: { results: 24 }   # a page of them
`,
  [REQUIREMENTS]: `# Checkout

What has to be so, whoever writes the code.

### REQ-1 [must] The total is the sum of the items

\`\`\`examples
| symbol | input     | expected |
|--------|-----------|----------|
| total  | [100,250] | 350      |
| total  | []        | 0        |
\`\`\`

### REQ-2 [should] Shipping is named before anybody pays

See [REQ-1] for the rest of the sum.
`,
}

/** What the config has to be after every change. */
export const PROJECT_SCHEMAS: Readonly<Record<string, JsonObject>> = {
  [CONFIG]: {
    type: 'object',
    properties: {
      checkout: {
        type: 'object',
        properties: {
          timeout: { type: 'integer', minimum: 20, maximum: 120 },
          retries: { type: 'integer', minimum: 0, maximum: 5 },
          currency: { type: 'string', enum: ['EUR', 'GBP', 'JPY'] },
        },
        required: ['timeout', 'retries', 'currency'],
        additionalProperties: false,
      },
      search: { type: 'object' },
    },
    required: ['checkout'],
    additionalProperties: false,
  },
}

/** A person has an hour to approve what waits for them: a plan holds for longer. */
export const PROJECT_PLAN_MS: number = 2 * 60 * 60_000

export function writeProjectFiles(folder: string): void {
  for (const [name, text] of Object.entries(PROJECT_FILES)) {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}
