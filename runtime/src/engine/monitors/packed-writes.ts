import type { Sample } from 'rubicon-kernel'
import type { Store, Write } from '../../ports/store.ts'
import { packSamples, toSampleBlockKey } from './sample-block.ts'
import type { MonitoredStream } from './streams.ts'

/** Puts samples behind those that a stream has. */
export async function buildPackedWrites(
  store: Store,
  { name, sources }: Pick<MonitoredStream, 'name' | 'sources'>,
  samples: readonly Sample[],
): Promise<readonly Write[]> {
  const [last] = await store.listRecords('monitor_samples', name, { newest: true, limit: 1 })
  return packSamples(last?.body ?? null, sources, samples).map(({ first, block }) => ({
    kind: 'put_record',
    record: 'monitor_samples',
    group: name,
    key: toSampleBlockKey(first),
    body: block,
  }))
}
