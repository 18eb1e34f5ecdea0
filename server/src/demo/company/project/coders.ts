/**
 * Agents of the company that write code. Each of the two developers may change some symbols of the project; what decides what customers
 * pay waits for a person. Which files belong to the project is for a third to say, who changes none.
 */
import type { Contract, JsonObject } from 'rubicon-kernel'
import { buildContract } from '../../contract.ts'
import { CART, CHECKOUT, CONFIG, PROJECT_FILES } from './files.ts'

export const KEEPER = 'project_keeper'
export const SHOP_CODER = 'shop_developer'
export const PRICING_CODER = 'pricing_developer'

const CHANGING = ['artifact.plan', 'artifact.apply', 'artifact.withdraw']
const READING = ['artifact.list', 'artifact.symbols', 'artifact.read']

export function buildCoderContracts(): readonly Contract[] {
  return [
    buildContract(KEEPER, ['artifact.adopt', ...READING], {
      mission: 'Say which files belong to the project, and change none of them.',
      permissions: { resources: buildScope(['artifact.adopt'], Object.keys(PROJECT_FILES)) },
    }),
    buildCoder(SHOP_CODER, 'Keep the cart of the shop and its settings in order.', [
      `${CART} class:Cart/*`,
      `${CHECKOUT} function:buy`,
      `${CONFIG} key:checkout/*`,
    ]),
    buildCoder(PRICING_CODER, 'Make prices of the shop what was agreed, and not a cent more.', [
      `${CART} class:Cart/*`,
      `${CHECKOUT} *`,
    ]),
  ]
}

function buildCoder(agent: string, mission: string, symbols: readonly string[]): Contract {
  return buildContract(agent, [...CHANGING, ...READING], {
    mission,
    permissions: {
      resources: buildScope(CHANGING, symbols),
      limits: [
        {
          ...{ id: 'what_customers_pay', field: '/symbols/*', denied: [`${CHECKOUT}*`] },
          ...{ on_breach: 'escalate', applies_to: ['artifact.apply'] },
        },
      ],
    },
  })
}

function buildScope(kinds: readonly string[], symbols: readonly string[]): JsonObject {
  return {
    symbols: { allow: [...symbols], applies_to: [...kinds] },
    read_symbols: { allow: ['*'], applies_to: READING },
  }
}
