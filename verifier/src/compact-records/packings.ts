/** How what is remembered of intents and flows is packed. */
import type { Address } from 'rubicon-kernel'
import type { Intent, OpenedFlow } from './flow-rows.ts'
import type { Packing } from './packed-map.ts'
import type { RecordReader, RecordWriter } from './record.ts'

export const FLOWS: Packing<OpenedFlow> = {
  write(record, { trajectory, agent, contract, writ, isOneStep, event, topic }) {
    record.name(trajectory)
    record.name(agent)
    record.name(contract)
    record.text(writ)
    record.writeFlag(isOneStep)
    writeOptional(record, event, (value) => record.text(value))
    writeOptional(record, topic, (value) => record.name(value))
  },
  read: (record) => ({
    trajectory: record.name(),
    agent: record.name(),
    contract: record.name() as Address,
    writ: record.text() as Address,
    isOneStep: record.readFlag(),
    event: readOptional(record, () => record.text() as Address),
    topic: readOptional(record, () => record.name()),
  }),
}

/**
 * Of what was sent and committed only that is kept, and where: whatever comes of it later is a finding
 * for that alone, unless it is about the effect and stands in the same flow.
 */
export const INTENTS: Packing<Intent> = {
  write(record, intent) {
    record.name(intent.trajectory)
    record.text(intent.dfid)
    const isDone = intent.hashes === null && intent.sends !== null
    record.writeFlag(isDone)
    if (isDone) return
    record.count(intent.seq)
    writeOptional(record, intent.acceptedSeq, (value) => record.count(value))
    record.name(intent.agent)
    record.name(intent.contract)
    record.text(intent.writ)
    writeOptional(record, intent.speaker, (value) => record.name(value))
    const isOwn = intent.bearer === intent.dfid
    writeOptional(record, isOwn ? null : intent.bearer, (value) => record.text(value))
    writeOptional(record, intent.ruledBy, ({ rules, kind, capability }) => {
      record.name(rules)
      record.name(kind)
      record.name(capability)
    })
    writeOptional(record, intent.approvedUntil, (value) => record.text(value))
    writeOptional(record, intent.hashes, (value) => record.text(value))
    writeOptional(record, intent.sends, (value) => record.count(value))
    record.writeFlag(intent.abandoned)
    writeOptional(record, intent.asks, (value) => record.text(value))
  },
  read(record) {
    const trajectory = record.name()
    const dfid = record.text()
    if (record.readFlag()) return { ...COMMITTED, trajectory, dfid, bearer: dfid }
    return {
      trajectory,
      dfid,
      seq: record.count(),
      acceptedSeq: readOptional(record, () => record.count()),
      agent: record.name(),
      contract: record.name() as Address,
      writ: record.text() as Address,
      speaker: readOptional(record, () => record.name()),
      bearer: readOptional(record, () => record.text()) ?? dfid,
      ruledBy: readOptional(record, () => ({
        rules: record.name(),
        kind: record.name(),
        capability: record.name(),
      })),
      approvedUntil: readOptional(record, () => record.text()),
      hashes: readOptional(record, () => record.text()),
      sends: readOptional(record, () => record.count()),
      abandoned: record.readFlag(),
      asks: readOptional(record, () => record.text()),
    }
  },
}

const COMMITTED: Omit<Intent, 'trajectory' | 'dfid' | 'bearer'> = {
  seq: -1,
  acceptedSeq: null,
  agent: '',
  contract: 'sha256:',
  writ: 'sha256:',
  speaker: null,
  ruledBy: null,
  approvedUntil: null,
  hashes: null,
  sends: 1,
  abandoned: false,
  asks: null,
}

export function writeOptional<T>(
  record: RecordWriter,
  value: T | null,
  write: (value: T) => void,
): void {
  record.writeFlag(value !== null)
  if (value !== null) write(value)
}

export function readOptional<T>(record: RecordReader, read: () => T): T | null {
  return record.readFlag() ? read() : null
}
