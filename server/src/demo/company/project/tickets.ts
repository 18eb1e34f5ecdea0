/** What the developers of the demo company are asked for, and the changes that they make of it. */
import type { JsonObject } from 'rubicon-kernel'
import { CART, CHECKOUT, CONFIG, REQUIREMENTS } from './files.ts'

export type Ticket = {
  readonly trigger: string
  readonly artifact: string
  readonly delta: JsonObject
  /** What it writes. */
  readonly path: string
  readonly justification: string
}

export const COUNT: Ticket = {
  trigger: 'SHOP-41: show how many items are in a cart',
  artifact: CART,
  delta: {
    op: 'addMember',
    target: 'class:Cart',
    fragment: 'count(): number {\n  return this.items.length\n}',
  },
  path: 'class:Cart/method:count',
  justification: 'the number of items is asked for on every page',
}

export const REDUCED: Ticket = {
  trigger: 'SHOP-44: prices that are reduced by a part',
  artifact: CART,
  delta: {
    op: 'addMember',
    target: 'class:Cart',
    fragment:
      'reduced(percent: number): number {\n  return Math.round(this.total() * (1 - percent / 100))\n}',
  },
  path: 'class:Cart/method:reduced',
  justification: 'the spring campaign needs it; the total stays what it is',
}

export const TIMEOUT: Ticket = {
  trigger: 'SHOP-52: payments time out on Mondays',
  artifact: CONFIG,
  delta: { op: 'setValue', target: 'key:checkout/key:timeout', value: 45 },
  path: 'key:checkout/key:timeout',
  justification: 'the bank is slow at the beginning of the week',
}

export const NEWEST: Ticket = {
  trigger: 'SHOP-55: the newest item comes first',
  artifact: CART,
  delta: {
    op: 'replaceBody',
    target: 'class:Cart/method:add',
    fragment: '{\n  this.items.unshift(item)\n}',
  },
  path: 'class:Cart/method:add',
  justification: 'customers look for what they put in last',
}

export const NEWEST_UNDONE = 'SHOP-58: customers want the order back that they had'

/** Not in the contract of anybody who writes code. */
export const REQUIREMENT: Ticket = {
  trigger: 'SHOP-61: REQ-1 is in the way of reduced prices',
  artifact: REQUIREMENTS,
  delta: { op: 'remove', target: 'section:Checkout/requirement:REQ-1' },
  path: 'section:Checkout/requirement:REQ-1',
  justification: 'with reduced prices the total is no longer the sum',
}

export const FREE_SHIPPING: Ticket = {
  trigger: 'SHOP-63: no shipping costs from 50 euros on',
  artifact: CHECKOUT,
  delta: {
    op: 'replaceBody',
    target: 'function:buy',
    fragment: `{
  const cart = new Cart()
  for (const item of items) cart.add(item)
  const total = cart.total()
  return total >= 5_000 ? total : total + SHIPPING
}`,
  },
  path: 'function:buy',
  justification: 'agreed with marketing for the spring campaign',
}

/** Somebody else has planned to change the same function. */
export const EMPTY_CART: Ticket = {
  trigger: 'SHOP-64: an empty cart costs nothing',
  artifact: CHECKOUT,
  delta: {
    op: 'replaceBody',
    target: 'function:buy',
    fragment: `{
  if (items.length === 0) return 0
  const cart = new Cart()
  for (const item of items) cart.add(item)
  return cart.total() + SHIPPING
}`,
  },
  path: 'function:buy',
  justification: 'nobody pays for shipping nothing',
}
