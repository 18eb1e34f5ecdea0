/**
 * A tool as data: everything that a capability says in code, said in JSON. The whole of it is part of the
 * capability's description, hashed and recorded, so that `verify --law` computes it again on nobody's word.
 */
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import type { EffectClass, RiskClass } from '../execution/effect-class.ts'
import type { Expression, ExpressionCondition } from '../expression/expression.ts'
import type { Accepts } from '../fact/accept.ts'
import type { FactLabel } from '../fact/label.ts'
import type { FieldKind } from '../jit/envelope.ts'

/**
 * Text in which `{/pointer}` stands for a parameter: a string, a whole number or a decimal, none of whose
 * characters could end the part it stands in. Where it is used decides which those are.
 */
export type TextTemplate = string

/** JSON in which an object with the one member `$` is an expression: `{"$": {"param": "/amount"}}`. */
export type JsonTemplate = JsonValue

/** A secret by its name; `{secret}` in `format` stands for its value, which is read at the last moment. */
export type SecretReference = {
  /** Its name in the tools file. */
  readonly secret: string
  /** What is sent, such as `Bearer {secret}`; the value alone when left out. */
  readonly format?: string
}

/** A tool as data: all that a capability says in code. */
export type ToolManifest = {
  /** Of the form. */
  readonly manifest: 'rubicon/tool/1'
  /** By which proposals and contracts name it. */
  readonly kind: string
  /** Raised with every change. */
  readonly version: string
  /** What it does, in a line. */
  readonly summary: string
  /** JSON Schema 2020-12, closed (`additionalProperties: false`). */
  readonly params: JsonObject
  /** JSON Schema 2020-12 of the result. */
  readonly result?: JsonObject
  /** What a second call with the same key does. */
  readonly effect: EffectClass
  /** It can be taken back. */
  readonly reversible: boolean
  /** It lowers exposure: a drawdown beyond its limit does not stop it. */
  readonly reducing?: boolean
  /** How bad it can be. */
  readonly risk: RiskClass
  /** It acts on nothing that a contract could bound. */
  readonly touches?: 'none'
  /** Name to what limits are checked on. */
  readonly measures?: Readonly<Record<string, Expression>>
  /** The measure that says how much is at stake, and from where on that is much. */
  readonly exposure?: { readonly measure: string; readonly threshold: string }
  /** Resource set of contracts → JSON pointer. */
  readonly scopes?: Readonly<Record<string, string>>
  /** What it holds while it runs. */
  readonly resources?: readonly ManifestResource[]
  /**
   * World that is recorded with the decision, besides what the delta is held to. State paths are found in the
   * expressions themselves.
   */
  readonly reads?: { readonly world?: readonly ManifestWorldRead[] }
  /** Name → the value in State that must not have moved; the path alone means a position, which is strict. */
  readonly jit_fields?: Readonly<Record<string, TextTemplate | ManifestJitField>>
  /** JSON pointer to labels that its ground may carry. */
  readonly sinks?: Readonly<Record<string, readonly FactLabel[]>>
  /** Paths on which facts below `operator` are read. */
  readonly accepts?: Accepts
  /** Measure to what a call costs, beside `calls: 1`. */
  readonly cost?: Readonly<Record<string, Expression>>
  /** What has to hold before it runs. */
  readonly precondition?: readonly Requirement[]
  /** What has to hold afterwards. */
  readonly postcondition?: readonly Requirement[]
  /** What it changes in World. */
  readonly delta?: readonly ManifestOp[]
  /** `REVERT` and other choices that a contract may list. */
  readonly compensations?: Readonly<Record<string, ManifestExecutor>>
  /** How the provider takes the key, and for how long it remembers it. */
  readonly idempotency?: { readonly carrier: string; readonly window_s: number }
  /** How it is found out whether an effect happened. */
  readonly probe?: ManifestProbe
  /** Whose word a result is to whoever is shown it later; `external` when left out. */
  readonly labels?: { readonly result: 'trusted' | 'operator' | 'external' }
  /** How it acts. */
  readonly executor: ManifestExecutor
}

/** A value in State that is compared right before the effect. */
export type ManifestJitField = {
  /** Where it stands. */
  readonly path: TextTemplate
  /** How much it may move. */
  readonly kind: FieldKind
}

/** Something that is held while a tool runs. */
export type ManifestResource = {
  /** Of the resource. */
  readonly id: TextTemplate
  /** How much of it; all of it when left out. */
  readonly amount?: Expression
  /** How much of it there is. */
  readonly capacity?: Expression
}

/** A resource of World that is recorded with the decision. */
export type ManifestWorldRead = {
  /** Of the resource. */
  readonly kind: string
  /** Of the resource. */
  readonly id: TextTemplate
}

/** It goes ahead only where `require` holds; `else` says what is missing. */
export type Requirement = {
  /** What has to hold. */
  readonly require: ExpressionCondition
  /** What is said where it does not. */
  readonly else: string
}

/** A change to World. `expected_version` of what is read is filled in from the decision's own view. */
export type ManifestOp =
  | {
      /** What is done. */
      readonly op: 'create' | 'replace'
      /** Of the resource. */
      readonly kind: string
      /** Of the resource. */
      readonly id: TextTemplate
      /** What it becomes. */
      readonly value: JsonTemplate
    }
  | { readonly op: 'retract'; readonly kind: string; readonly id: TextTemplate }
  | {
      /** What is done. */
      readonly op: 'increment'
      /** Of the resource. */
      readonly kind: string
      /** Of the resource. */
      readonly id: TextTemplate
      /** How much. */
      readonly by: Expression
      /** Which member of it; the value itself when left out. */
      readonly field?: string
    }

/** How it is found out whether an effect happened. */
export type ManifestProbe = {
  /** Where the provider does not know it, it did not happen. */
  readonly absence_authoritative: boolean
  /** How late an effect may still arrive. */
  readonly max_late_arrival_s: number
  /** How the provider is asked. */
  readonly executor: ManifestExecutor
  /**
   * Judged on what the probe returns (`result`, `status`), in this order; neither: nobody knows yet. What cannot
   * be evaluated does not hold.
   */
  readonly applied: ExpressionCondition
  /** Where it holds, it did not. */
  readonly absent: ExpressionCondition
}

/** How a tool without code acts. */
export type ManifestExecutor =
  | {
      /** It sends a request. */
      readonly http: HttpExecutor
    }
  | {
      /** It starts a program. */
      readonly command: CommandExecutor
    }
  | {
      /** It calls a tool of an MCP server. */
      readonly mcp: McpExecutor
    }
  | {
      /** It reads what an MCP server holds. */
      readonly mcp_read: McpReadExecutor
    }
  | {
      /** Nothing leaves the process: the delta is the effect. */
      readonly world: true
    }

/** A request that is sent. */
export type HttpExecutor = {
  /** Of HTTP. */
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `https://host[:port]/path/{/pointer}`: scheme, host and port are literal, a parameter stays in its segment. */
  readonly url: TextTemplate
  /** Behind the path, by name. */
  readonly query?: Readonly<Record<string, Expression>>
  /** By name; secrets are named, not written. */
  readonly headers?: Readonly<Record<string, string | SecretReference>>
  /** Sent as JSON. */
  readonly body?: JsonTemplate
  /** The header that carries the idempotency key. */
  readonly idempotency_header?: string
  /** The version that the caller has seen, sent as `If-Match`: the provider refuses it once it is another. */
  readonly if_match?: Expression
  /** Statuses after which it happened; what is neither here nor in `not_applied` is UNKNOWN. */
  readonly applied: readonly number[]
  /** Statuses after which it definitively did not happen. */
  readonly not_applied?: readonly number[]
  /** Among `not_applied`, those after which the same call may succeed later. */
  readonly transient?: readonly number[]
  /** Where in the body the result stands; absent: the whole of it. */
  readonly result?: string
  /** How long it may take. */
  readonly timeout_ms?: number
  /** How large the answer may be. */
  readonly max_bytes?: number
}

/** A program that is started. */
export type CommandExecutor = {
  /** The first is an absolute path; no shell is started. A parameter is one argument. */
  readonly argv: readonly (string | { readonly param: string })[]
  /** Written to its standard input as JSON. */
  readonly stdin?: JsonTemplate
  /** Its environment: these variables and no others. */
  readonly env?: Readonly<Record<string, string | SecretReference>>
  /** The variable that carries the idempotency key. */
  readonly idempotency_env?: string
  /** Exit codes after which it happened. */
  readonly applied: readonly number[]
  /** Exit codes after which it definitively did not. */
  readonly not_applied?: readonly number[]
  /** Among those, after which the same call may succeed later. */
  readonly transient?: readonly number[]
  /** How long it may take. */
  readonly timeout_ms?: number
  /** How much it may print. */
  readonly max_bytes?: number
}

/** A tool of an MCP server behind the gateway. All parameters are its arguments, and nothing else is. */
export type McpExecutor = {
  /** The name that the operator gave the server. */
  readonly server: string
  /** The name that the server gave the tool. */
  readonly tool: string
  /** Address of the definition that a person agreed to. Under another definition the tool is not called. */
  readonly pin: string
  /** How long it may take. */
  readonly timeout_ms?: number
  /** How much it may answer. */
  readonly max_bytes?: number
}

/** What an MCP server offers to read beside its tools: `uri`, or `name` and `arguments`, are the parameters. */
export type McpReadExecutor = {
  /** The name that the operator gave the server. */
  readonly server: string
  /** Of the protocol; either changes nothing. */
  readonly method: 'resources/read' | 'prompts/get'
  /** How long it may take. */
  readonly timeout_ms?: number
  /** How much it may answer. */
  readonly max_bytes?: number
}
