/**
 * A clock that was set back, or far forward, is not followed by itself. An operator says that it is
 * right; the word is signed, and time goes on from where it was, towards that clock.
 */
import { type ClockAnchor, err, type Failure, ok, type Result } from 'rubicon-kernel'
import { CONFIRMED } from '../../ports/confirmed-clock.ts'
import { buildAuthorityWrite } from '../authority/registry/append-authority.ts'
import type { Context } from '../engine-context.ts'
import { signDocument } from '../rows/sign.ts'
import { checkReason } from '../rows/unreasoned.ts'

export async function confirmClock(
  context: Context,
  reason: string,
): Promise<Result<ClockAnchor, Failure>> {
  const unsaid = checkReason(reason, 'whoever confirms a clock')
  if (unsaid !== null) return err(unsaid)
  const { store } = context
  const skew = store.time.findSkew()
  if (skew === null)
    return err({
      code: 'NOTHING_TO_ACCEPT',
      summary: 'there is nothing to confirm',
      why: 'the clock is right',
      fix: 'start the runtime; nothing is left to do',
    })
  const { clock, last } = skew
  const authority = await context.authorities.loadLatest()
  const body: ClockAnchor = { action: 'confirm_clock', clock, last, reason }
  const signature = await signDocument(context, 'operator', 'anchor', body)
  // From here on by the new clock: the entry itself is the first that is dated by it.
  const takeBack = store.time.confirm()
  try {
    const outcome = await store.commit({
      guards: [{ kind: 'authority_seq', seq: authority.seq }],
      writes: [
        buildAuthorityWrite('anchor', { body, signature }),
        { kind: 'put_record', ...CONFIRMED, body: { clock, last } },
      ],
    })
    if (outcome.ok) return ok(body)
  } catch (error) {
    takeBack()
    throw error
  }
  takeBack()
  return err({
    code: 'STORE_CONTENTION',
    summary: 'authority changed meanwhile',
    fix: 'confirm again',
  })
}
