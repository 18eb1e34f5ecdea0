/**
 * What was answered under `Idempotency-Key`s. There may be as many answers as anybody asked for in an hour: others go first again and
 * again while they are looked through.
 */
import type { RecordRange, StoredRecord } from '../../ports/record.ts'
import type { Guard, Store, Unit, Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { isOfSameAsked } from '../flow/call-claims.ts'
import { createTurns } from '../rows/create-turns.ts'

/** Rows of a page are read without a turn for others. */
const PAGE = 64

/**
 * A kept reply names its flow somewhere in its body. Where only the flow is kept, as of an act, the key stays taken, so that
 * nothing is done twice under it; the hash of what was asked goes: whoever guesses that could tell.
 * An answer that is on its way now, to a request about the flow, may be kept meanwhile: then all of this is looked at again.
 */
export async function buildForgottenRepliesUnit(
  context: Pick<Context, 'store' | 'clock'>,
  dfid: string,
): Promise<Unit> {
  const { store } = context
  const guards: Guard[] = []
  const writes: Write[] = []
  const turn = createTurns(context)
  for await (const due of iterateDueReplies(store)) {
    await turn()
    const { group, key } = due.body
    const kept = await store.readRecord('http_reply', group, key)
    if (kept === null) continue
    const place = { record: 'http_reply', group, key } as const
    if (kept.body.reply === null && kept.body.about === dfid)
      guards.push({ kind: 'record_version', ...place, version: kept.version })
    if (kept.body.dfid === dfid && !isOfSameAsked(kept))
      writes.push({ kind: 'put_record', ...place, body: { ...kept.body, body_hash: '' } })
    else if (isAboutFlow(kept, dfid))
      writes.push(
        { kind: 'drop_record', ...place },
        { kind: 'drop_record', record: 'http_reply_due', group: 'due', key: due.key },
      )
  }
  return { guards, writes }
}

async function* iterateDueReplies(
  store: Pick<Store, 'listRecords'>,
): AsyncGenerator<StoredRecord<'http_reply_due'>> {
  for (let after: string | undefined; ; ) {
    const range: RecordRange = { limit: PAGE, ...(after === undefined ? {} : { after }) }
    const page = await store.listRecords('http_reply_due', 'due', range)
    yield* page
    after = page.at(-1)?.key
    if (page.length < PAGE) return
  }
}

/** The name of what an act asked for is a hash of that too. */
function isAboutFlow({ body }: StoredRecord<'http_reply'>, dfid: string): boolean {
  if (body.dfid === dfid || (body.about === dfid && body.reply !== null)) return true
  return JSON.stringify(body.reply).includes(dfid)
}
