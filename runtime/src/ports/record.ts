/**
 * Small versioned rows that the engine keeps beside the ledger, by kind, group and key. One table
 * serves them all, so that a new kind needs no new adapter code; the kinds and what they hold are
 * closed and stand here.
 */
import type {
  Address,
  ArchiveNote,
  EventRef,
  FactLabel,
  JsonValue,
  Occasion,
  SagaStanding,
  StoredMemory,
} from 'rubicon-kernel'
import type { AgentSession } from './agent-session.ts'
import type { AtomRecord } from './atom-record.ts'
import type { ChannelRecords } from './channel.ts'
import type { EscalationRecord, RequestComment } from './escalation-record.ts'
import type { EventRecords } from './event-record.ts'
import type { GenerationText, OpenGeneration } from './generation-record.ts'
import type { Notice } from './notifier.ts'
import type { PersonIdentity, PersonSession } from './person-record.ts'
import type { OperatorWord, OwnerWord } from './said-fact.ts'
import type { AuditVerdict } from './semantic-auditor.ts'

/** What a record of each kind holds. A group's records are read together, in the order of keys. */
export type RecordBodies = EventRecords &
  ChannelRecords & {
    /** group: agent; key: hash of the token. */
    readonly session: AgentSession
    /** Whose a token is. group: `tokens`; key: hash of the token. */
    readonly session_token: { readonly agent_id: string }
    /** A handshake that was here. group: agent; key: when it was signed, then its nonce. */
    readonly handshake_nonce: Readonly<Record<string, never>>
    /** A request that counted before its time. group: agent; key: when it was signed, then its nonce. */
    readonly request_nonce: Readonly<Record<string, never>>
    /** The latest that was said about a path: by its owner, and by an operator. group: `state`; key: the path. */
    readonly observation: {
      readonly said: OwnerWord | null
      readonly operator: OperatorWord | null
    }
    /** How many paths somebody speaks of. group: `source` or `agent`; key: its name. */
    readonly spoken_paths: { readonly count: number }
    /** What an agent keeps for itself. group: `agents`; key: agent. */
    readonly agent_state: { readonly value: JsonValue; readonly updated_at: string }
    /** Session layer. group: dfid; key: in the order of arrival. */
    readonly note: {
      readonly at: string
      readonly label: FactLabel
      readonly text: string
      readonly tokens: number
      readonly flags: readonly string[]
    }
    /** That a flow has notes, so that they can be found when it has ended. group: `flows`; key: dfid. */
    readonly noted_flow: { readonly since: string }
    /** Memory layer, written by the kernel only. group: agent; key: in the order of time. */
    readonly memory: StoredMemory
    /** Artifacts layer: a document. group: `documents`, or `documents/AGENT`; key: its name. */
    readonly artifact: {
      readonly title: string
      readonly label: FactLabel
      readonly hash: string
      /** Pieces that can be found, and words in them; none while it is being written. */
      readonly chunks: number
      readonly length: number
    }
    /** A piece of a document. group: the document; key: its number. */
    readonly artifact_chunk: {
      readonly text: string
      /** Words in it. */
      readonly length: number
      readonly tokens: number
    }
    /**
     * Where a word stands. group: the word; key: the document. A place is the number of the piece, how
     * often it stands there, and among how many words; none: in more pieces than anybody looks at.
     */
    readonly artifact_word: {
      readonly places: readonly (readonly [chunk: number, count: number, length: number])[]
    }
    /** Of all documents that can be found: pieces and words. group and key: `all`. */
    readonly artifact_totals: { readonly chunks: number; readonly length: number }
    /** Twice. group: `due`; key: the instant, then the name. group: `names`; key: the name. */
    readonly timer: {
      readonly name: string
      readonly at: string
      readonly agent_id: string
      readonly trigger: string
      /** State that the flow is opened with. */
      readonly state: readonly string[]
      readonly steps: 'one' | 'many'
      /** Fires again after so long; null: once. */
      readonly every_ms: number | null
      /** Of a wake-up: the event that it is for, and the flow that it opens. */
      readonly event?: EventRef & { readonly dfid: string }
    }
    /** A hold on a resource. group: the resource; key: who holds it. */
    readonly lock: {
      readonly dfid: string
      readonly step_id: string
      readonly agent_id: string
      /** Decimal text. */
      readonly amount: string
      readonly capacity: string | null
      readonly taken_at: string
      /** Until dispatch; null from then on: it lasts until the outcome is known. */
      readonly expires_at: string | null
      /** Nobody knows what became of the effect that held it. */
      readonly quarantined: boolean
    }
    /**
     * A request that somebody decides. group: `open` while it waits, `approved` until what was approved
     * is released, then `closed`; key: its id, which is in the order of time.
     */
    readonly escalation: EscalationRecord
    /** Who looks after a request; never who may decide it. group: `open`; key: the id of the request. */
    readonly escalation_claim: {
      readonly by: string
      readonly person: string
      readonly since: string
      readonly until: string
      /** Who gave it to them; absent: they took it themselves. */
      readonly given_by?: string
    }
    /** What people said about a request, oldest first. group: `requests`; key: the id of the request. */
    readonly escalation_comments: { readonly comments: readonly RequestComment[] }
    /** When exceptions of an agent reached a person. group: `agents`; key: agent. */
    readonly escalation_budget: { readonly spent: readonly string[] }
    /** From when on an agent's silence counts, and who was asked about it. group: `agents`; key: agent. */
    readonly silence: {
      readonly since: string
      readonly asked: { readonly dfid: string; readonly at: string } | null
    }
    /** An agent that has to be stopped, whoever is there to do it. group: `agents`; key: agent. */
    readonly agent_stop: {
      readonly to: 'SUSPENDED' | 'RETIRED'
      readonly actor: 'runtime' | 'operator'
      readonly justification: string
      readonly reason_code?: string
    }
    /**
     * A notice on its way. group: `due`; key: when it is to be sent, then its own time, id and channel.
     * group: `failed`: nobody could be told.
     */
    readonly notice: {
      readonly notice: Notice
      /** Times that it was tried; the last may still be under way. */
      readonly attempts: number
      /** Null: it was not tried yet. */
      readonly next_at: string | null
    }
    /** Where a clock stood that an operator confirmed, and how far time was. group: `all`; key: `confirmed`. */
    readonly clock: { readonly clock: string; readonly last: string }
    /** What an auditor said of a step that was carried out. group: dfid; key: `AUDITOR STEP`. */
    readonly finding: {
      readonly auditor: string
      readonly step_id: string
      readonly verdict: AuditVerdict
      readonly at: string
    }
    /** How far an auditor has come. group: `auditors`; key: its name. */
    readonly audit_cursor: {
      /** The first leaf that it has not looked at. */
      readonly leaf: number
    }
    /** A decision atom. group: dfid; key: the atom. */
    readonly atom: AtomRecord
    /** Of which atoms something is due. group: `due`; key: when, then which. */
    readonly atom_due: { readonly dfid: string; readonly atom_id: string }
    /** What a model was asked and has not answered. group: `open`; key: dfid, a space, the generation. */
    readonly generation: OpenGeneration
    /** What a model was asked and said, word for word. group: dfid; key: the generation. */
    readonly generation_text: GenerationText
    /**
     * What was answered under an `Idempotency-Key`. group: who asked; key: hash of route and key. Which flow a call of an agent
     * stands for. group: `act AGENT`; key: `key`, `call` or `same`, and a hash of what it is known by.
     */
    readonly http_reply: {
      /** SHA-256 of the request's body; empty where the flow was erased. */
      readonly body_hash: string
      /** Null: it is being carried out, by the engine of this epoch. */
      readonly reply: { readonly status: number; readonly body: JsonValue } | null
      readonly epoch: number
      readonly expires_at: string
      /** The flow that was opened under the key: what has become of it is the answer. */
      readonly dfid?: string
      /** The flow that was named in its path: what is answered may be of it. */
      readonly about?: string
    }
    /** In which conversation a flow was opened. group: `flows`, and group: the agent, a space, the conversation; key: dfid. */
    readonly conversation: { readonly conversation: string }
    /** What an operator approved before a process holds it. group: `capabilities`; key: the kind. */
    readonly approved_capability: { readonly capability_hash: string; readonly by: string }
    readonly http_reply_due: { readonly group: string; readonly key: string } // Which go first. group: `due`; key: when, then which.
    /** Twice. group: `identities`, and group: the person; key: the address of the identity. */
    readonly person_identity: PersonIdentity
    /** What an operator unlinked, until an operator gives it to somebody. group: `identities`; key: its address. */
    readonly unlinked_identity: { readonly person_id: string }
    /** A person's browser. group: the person; key: hash of the cookie. */
    readonly person_session: PersonSession
    /** Under which names sessions are looked for. group: `people`; key: the person. */
    readonly signed_in: { readonly until: string }
    /**
     * The directory of the ledger: what a run of leaves can be found by. group: `leaves`; key: the first
     * leaf of the run.
     */
    readonly leaf_block: {
      /** The first digits of the ids, one after the other. */
      readonly ids: string
      readonly words: readonly string[]
      /** Row by row: kind, trajectory, reason code and agent, as words from 1; 0: it has none. */
      readonly cells: readonly number[]
    }
    /** Where the payloads of a flow are, as an operator signed it. group: `flows`; key: dfid. */
    readonly archive: ArchiveNote
    /** A flow that did half of its job. group: `open`, then `ended`; key: dfid. */
    readonly dirty_flow: {
      readonly agent_id: string
      readonly since: string
      /** The step whose outcome made it so; of this flow, or of one below it. */
      readonly cause: { readonly dfid: string; readonly step_id: string }
      readonly standing: SagaStanding
      /** What was chosen, and by which COMPENSATE. */
      readonly action: string | null
      readonly chosen: {
        readonly dfid: string
        readonly step_id: string
        readonly intent_id: Address
      } | null
    }
    /** An effect that a person has settled with its flow. group: its dfid; key: its step. */
    readonly settled_effect: { readonly intent_id: Address }
    /** Instances that agents spawned, while something of them is open. group: `live`; key: instance. */
    readonly instance: Occasion & { readonly class: string }
    /** What a SPAWN_INSTANCE made. group: dfid of the spawning flow; key: its step. */
    readonly spawned_instance: Occasion & {
      readonly class: string
      readonly agent_id: string
      readonly intent_id: Address
    }
    /** What a SPAWN_CHILD opened. group: dfid of the parent; key: its step. */
    readonly spawned_child: { readonly dfid: string; readonly intent_id: Address }
    /**
     * Executions that monitors look at, some hundred in each. group: `settled AGENT`, or
     * `found AUDITOR AGENT`; key: the leaf of the first.
     */
    readonly monitor_samples: {
      readonly columns: readonly string[]
      readonly words: readonly string[]
      /** Row by row: steps of leaf and time, kind, outcome, and the columns as words. */
      readonly cells: readonly number[]
    }
    /** group and key: `all`. */
    readonly monitor_cursor: {
      /** The first leaf that monitors have not seen. */
      readonly leaf: number
      /** The latest time of those that they have, in milliseconds. */
      readonly now: number
    }
  }

export type RecordKind = keyof RecordBodies

/** Group and key are text without a NUL and without half a surrogate pair. */
export type RecordRef = {
  readonly record: RecordKind
  readonly group: string
  readonly key: string
}

export type PutRecord<K extends RecordKind> = {
  readonly kind: 'put_record'
  readonly record: K
  readonly group: string
  readonly key: string
  readonly body: RecordBodies[K]
}

export type StoredRecord<K extends RecordKind> = {
  readonly group: string
  readonly key: string
  /** Rises by one with every write. One that was dropped and put again begins at a number that nobody has read. */
  readonly version: number
  readonly body: RecordBodies[K]
}

export type RecordRange = {
  /** Only keys greater than this, and only keys up to and including that. */
  readonly after?: string
  readonly until?: string
  readonly newest?: boolean
  readonly limit: number
}

/** The name of a hold: one step holds a resource once. */
export function lockHolder(dfid: string, stepId: string): string {
  return `${dfid}:${stepId}`
}
