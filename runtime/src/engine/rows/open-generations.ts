/** What models were asked and have not answered: what is reserved for it is used, and stands in no entry yet. */
import { LIMITS } from 'rubicon-kernel'
import type { OpenGeneration } from '../../ports/generation-record.ts'
import type { Store } from '../../ports/store.ts'

export const OPEN_GENERATIONS = { record: 'generation', group: 'open' } as const

export function toGenerationKey(dfid: string, generationId: string): string {
  return `${dfid} ${generationId}`
}

/** Of one flow, all of them: whoever adds them up must miss none, whatever bound held when they began. */
export async function listFlowGenerations(
  store: Pick<Store, 'listRecords'>,
  dfid: string,
): Promise<readonly OpenGeneration[]> {
  const range = { after: `${dfid} `, until: `${dfid} ~`, limit: LIMITS.generationsPerFlow }
  const { record, group } = OPEN_GENERATIONS
  return (await store.listRecords(record, group, range)).map(({ body }) => body)
}

export async function* iterateOpenGenerations(
  store: Pick<Store, 'listRecords'>,
): AsyncGenerator<OpenGeneration> {
  const { record, group } = OPEN_GENERATIONS
  for (let after: string | undefined; ; ) {
    const range = { limit: LIMITS.listed, ...(after === undefined ? {} : { after }) }
    const page = await store.listRecords(record, group, range)
    for (const { body } of page) yield body
    after = page.at(-1)?.key
    if (page.length < LIMITS.listed) return
  }
}
