/** Messages that nobody sent: each is a true one with something in it that is not so. */
import type { BusDelivery } from '../../runtime/src/ports/bus.ts'

/** A whole number from 0 to `most`. */
type Draw = (most: number) => number

export type ForgedMessage = { readonly why: string; readonly delivery: BusDelivery }

const NO_HASH = `sha256:${'0'.repeat(64)}`
const NO_FLOW = '00000000-0000-7000-8000-000000000000'

/** `known`: what was taken so far, oldest first. */
export function drawForgery(
  draw: Draw,
  known: readonly BusDelivery[],
  last: BusDelivery,
): ForgedMessage {
  const other = known[draw(known.length - 1)] ?? last
  const { message } = last
  const forgeries: readonly ForgedMessage[] = [
    { why: 'another topic', delivery: { ...last, topic: `${last.topic}.other` } },
    { why: 'a topic of nobody', delivery: { ...last, topic: 'alarm.item-9' } },
    { why: 'no such flow', delivery: { ...last, dfid: NO_FLOW } },
    { why: 'another flow', delivery: { ...last, dfid: other.dfid } },
    { why: 'another agent', delivery: { ...last, message: { ...message, agent: 'clerk' } } },
    {
      why: 'the flow of another agent',
      delivery: { ...last, message: { ...message, agent: 'desk' }, dfid: other.dfid },
    },
    { why: 'another tenant', delivery: { ...last, message: { ...message, tenant: 'acme' } } },
    { why: 'no such event', delivery: { ...last, message: { ...message, event_id: NO_HASH } } },
    {
      why: 'another event',
      delivery: {
        ...last,
        message: { ...message, event_id: other.message.event_id ?? NO_HASH },
      },
    },
    { why: 'no such snapshot', delivery: { ...last, snapshot_id: NO_HASH } },
    { why: 'a stale snapshot', delivery: { ...last, snapshot_id: other.snapshot_id } },
    { why: 'what was said before', delivery: other },
    { why: 'nothing', delivery: { ...last, message: {} } },
    {
      why: 'no text',
      delivery: { ...last, message: { ...message, event_id: [1], agent: { toString: 1 } } },
    },
  ]
  return forgeries[draw(forgeries.length - 1)] ?? { why: 'what was said before', delivery: other }
}
