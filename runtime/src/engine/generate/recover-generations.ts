/** Requests to a model that nobody waits for any more: what was reserved for them is used. None is asked again. */
import type { OpenGeneration } from '../../ports/generation-record.ts'
import type { Context } from '../engine-context.ts'
import { iterateOpenGenerations } from '../rows/open-generations.ts'
import { settleGeneration } from './settle-generation.ts'

/** Those of engines that have ended, and of this one that are not under way; returns how many. */
export async function recoverGenerations(context: Context): Promise<number> {
  const { store, generations } = context
  const left: OpenGeneration[] = []
  for await (const open of iterateOpenGenerations(store)) left.push(open)
  const others = [...new Set(left.map(({ epoch }) => epoch))].filter((one) => one !== store.epoch)
  const ended = others.length === 0 ? [] : await store.listEndedEpochs(others)
  let lost = 0
  for (const open of left) {
    const isLeft =
      open.epoch === store.epoch
        ? !generations.isUnderWay(open.generation_id)
        : ended.includes(open.epoch)
    if (!isLeft) continue
    const end = {
      found: { finding: 'lost' },
      used: open.reserved,
      response: null,
      failure: null,
    } as const
    if ((await settleGeneration(context, open, end)) !== null) lost += 1
  }
  return lost
}
