/** What goes on all day: nothing of it needs a person. */
import { DEPLOYER, MARKETING, REFUNDS, SUPPORT, TRADER } from './contracts.ts'
import { toPricePath } from './outside.ts'
import type { Story } from './story.ts'

/** One after the other, for ever; numbers make every story one of its own. */
const EVERYDAY: readonly ((number: number) => Story)[] = [
  (n) => buildRefund(n, 'the parcel came two days late', '12.90'),
  (n) => buildReply(n, 'where is my order?', 'It left our warehouse this morning.'),
  (n) => buildRefund(n, 'the lamp was broken when I opened the box', '89.00'),
  (n) => buildDeployment(n, 'search'),
  (n) => buildReply(n, 'can I change the address?', 'Yes, until it is packed. I have changed it.'),
  (n) => buildBudget(n, 'retargeting', `${600 + (n % 7) * 50}.00`),
  (n) => buildOffer(n, '0.05'),
  (n) => buildRefund(n, 'one of two chairs is missing', '145.50'),
  (n) => buildSale(n, 'EUR', `${4_000 + (n % 5) * 500}.00`),
  (n) => buildReply(n, 'the invoice has the wrong name', 'A corrected one is attached.'),
  (n) => buildDeployment(n, 'mailer'),
  (n) => buildRefund(n, 'I sent it back last week', '34.20'),
]

export function pickEverydayStory(number: number): Story {
  const build = EVERYDAY[number % EVERYDAY.length] ?? EVERYDAY[0]
  if (build === undefined) throw new Error('there are everyday stories')
  return build(number)
}

export function buildRefund(number: number, wrote: string, amount: string): Story {
  return {
    agent: REFUNDS,
    trigger: `ticket ${4_000 + number}: ${wrote}`,
    replies: [
      {
        policy_kind: 'REFUND',
        params: { order: `o_${number}`, amount },
        justification: `the customer wrote: ${wrote}`,
      },
    ],
  }
}

function buildReply(number: number, wrote: string, text: string): Story {
  const ticket = `t_${number}`
  return {
    agent: SUPPORT,
    trigger: `message ${number}: ${wrote}`,
    replies: [{ policy_kind: 'REPLY', params: { ticket, text }, justification: `asked: ${wrote}` }],
  }
}

export function buildOffer(number: number, discount: string): Story {
  return {
    agent: SUPPORT,
    trigger: `message ${number}: I am thinking of leaving you`,
    isSettledBefore: true,
    replies: [
      {
        policy_kind: 'OFFER',
        params: { ticket: `t_${number}`, discount },
        justification: 'a customer for years; a discount is cheaper than a new one',
      },
    ],
  }
}

export function buildDeployment(number: number, service: string): Story {
  return {
    agent: DEPLOYER,
    trigger: `build ${number} of ${service} is green`,
    replies: [
      {
        policy_kind: 'DEPLOY',
        params: { service, version: `1.${number}.0`, environment: 'staging' },
        justification: 'all tests passed',
      },
    ],
  }
}

export function buildBudget(number: number, campaign: string, usd: string): Story {
  return {
    agent: MARKETING,
    trigger: `report ${number}: yesterday's figures of ${campaign}`,
    replies: [
      {
        policy_kind: 'SET_BUDGET',
        params: { campaign, usd },
        justification: 'each dollar brought in 2.40',
      },
    ],
  }
}

export function buildSale(number: number, currency: string, usd: string): Story {
  return {
    agent: TRADER,
    trigger: `balance ${number}: more ${currency} than invoices`,
    sees: [toPricePath(currency)],
    replies: [
      {
        policy_kind: 'SELL',
        params: { currency, usd },
        justification: 'three months are covered; the rest is a risk',
      },
    ],
  }
}
