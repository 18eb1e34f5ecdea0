/** Puts a sample into the windows of its stream and says which monitors it trips. */
import { formatInstant, type MonitorVerdict } from 'rubicon-kernel'
import type { StreamSample } from './sampler.ts'
import type { Trip } from './trip.ts'
import type { Watch } from './windows.ts'

export type WatchTrip = Trip & { readonly watch: Watch }

/** In tree order. `stopped`: the sample counts, and nobody is stopped for it. */
export function judge(
  { sample, dfid, stream }: StreamSample,
  watches: readonly Watch[],
  stopped: boolean,
): readonly WatchTrip[] {
  const trips: WatchTrip[] = []
  for (const watch of watches) {
    if (sample.leaf <= watch.since || !watch.window.add(sample) || stopped) continue
    const verdict = watch.window.computeVerdict()
    if (!isTrip(verdict)) continue
    trips.push({
      agent_id: stream.agent_id,
      monitor: watch.monitor.name,
      monitor_hash: watch.hash,
      leaf: sample.leaf,
      dfid,
      at: formatInstant(sample.at),
      verdict,
      behind: watch.window.listLeavesBehind(verdict.breach),
      watch,
    })
  }
  return trips
}

function isTrip(verdict: MonitorVerdict): verdict is Trip['verdict'] {
  return verdict.kind === 'trip' && verdict.breach !== null
}
