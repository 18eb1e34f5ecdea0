/** A place for checkpoints that ends with its test. */
import { type CheckpointSink, findHighestEpoch } from '../ports/checkpoint-sink.ts'

export function memorySink(): CheckpointSink {
  const notes = new Map<string, string>()
  return {
    place: 'memory',
    latest: async (origin) => notes.get(origin) ?? null,
    latestOf: async (prefix) => {
      const epoch = findHighestEpoch([...notes.keys()], prefix)
      const note = epoch === null ? undefined : notes.get(`${prefix}/${epoch}`)
      return epoch === null || note === undefined ? null : { epoch, note }
    },
    save: async (origin, note) => {
      notes.set(origin, note)
    },
  }
}
