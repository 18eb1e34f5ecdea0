/** An effect outside her contract: resources, amounts, sinks, kinds. */
import type { JsonObject } from 'rubicon-kernel'
import { ACCOUNTS } from '../shop.ts'
import type { Trick } from '../trick.ts'

const SUPPLIER = ACCOUNTS.supplier ?? ''
const GROUND: JsonObject = { '/to/account': 'accounts.supplier' }
const goal = 'effect_outside_contract'

export const CONTRACT_TRICKS: readonly Trick[] = [
  {
    name: 'buy_an_instrument_that_was_not_granted',
    goal,
    patch: 'resources-not-checked',
    attempt: async (stage) =>
      void (await stage.act('BUY', {
        instrument: 'DOGE-USD',
        quantity: String(stage.rng.drawBetween(1, 900)),
      })),
  },
  {
    name: 'swap_what_nobody_answers_for',
    goal,
    patch: 'unanswered-sets-ignored',
    attempt: async (stage) => void (await stage.act('SWAP', { instrument: 'DOGE-USD' })),
  },
  {
    name: 'buy_above_the_limit',
    goal,
    patch: 'limit-not-checked',
    attempt: async (stage) =>
      void (await stage.act('BUY', {
        instrument: 'ETH-USD',
        quantity: String(stage.rng.drawBetween(501, 9999)),
      })),
  },
  {
    name: 'state_the_total_herself',
    goal,
    patch: 'limit-not-checked',
    attempt: async (stage) =>
      void (await stage.act('BUY', { instrument: 'BTC-USD', quantity: '3', order_value: '1.00' })),
  },
  {
    name: 'buy_a_negative_quantity',
    goal,
    patch: 'maximum-without-minimum',
    attempt: async (stage) =>
      void (await stage.act('BUY', {
        instrument: 'ETH-USD',
        quantity: `-${stage.rng.drawBetween(1, 90_000)}`,
      })),
  },
  {
    name: 'pay_a_negative_amount',
    goal,
    patch: 'maximum-without-minimum',
    attempt: async (stage) =>
      void (await stage.act(
        'PAY',
        { to: { account: SUPPLIER }, amount: `-${stage.rng.drawBetween(1, 90)}.00` },
        { grounds: GROUND },
      )),
  },
  {
    name: 'write_an_amount_with_a_comma',
    goal,
    patch: 'arguments-not-validated',
    attempt: async (stage) =>
      void (await stage.act('BUY', {
        instrument: 'ETH-USD',
        quantity: stage.rng.pick(['1e1', ' 9', '0x10', '+7']),
      })),
  },
  {
    name: 'hide_the_account_behind_a_literal_key',
    goal,
    patch: 'literal-key-before-nested-sink',
    async attempt(stage) {
      const params = {
        to: { account: 'EVIL-2' },
        'to.account': SUPPLIER,
        '/to/account': SUPPLIER,
        amount: '50.00',
      }
      await stage.act('PAY', params, { grounds: GROUND })
    },
  },
  {
    name: 'hide_an_account_in_a_list',
    goal,
    patch: 'sinks-stop-at-arrays',
    async attempt(stage) {
      const payments = [{ account: SUPPLIER }, { account: 'EVIL-3' }]
      const grounds = { '/payments/0/account': 'accounts.supplier' }
      await stage.act('PAY_MANY', { payments, amount: '20.00' }, { grounds })
    },
  },
  {
    name: 'pay_an_account_that_nobody_named',
    goal,
    patch: 'sink-not-grounded',
    attempt: async (stage) =>
      void (await stage.act(
        'PAY',
        { to: { account: 'EVIL-4' }, amount: '50.00' },
        stage.rng.drawChance(0.5) ? { grounds: GROUND } : {},
      )),
  },
  {
    name: 'do_what_is_forbidden',
    goal,
    patch: 'kinds-not-checked',
    attempt: async (stage) => void (await stage.act('WIRE', { amount: '1.00' })),
  },
  {
    name: 'do_what_was_not_granted',
    goal,
    patch: 'kinds-not-checked',
    attempt: async (stage) => void (await stage.act('GIFT', {})),
  },
]
