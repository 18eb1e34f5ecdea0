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
export type SecretReference = { readonly secret: string; readonly format?: string }

export type ToolManifest = {
  readonly manifest: 'rubicon/tool/1'
  readonly kind: string
  readonly version: string
  readonly summary: string
  /** JSON Schema 2020-12, closed (`additionalProperties: false`). */
  readonly params: JsonObject
  readonly result?: JsonObject
  readonly effect: EffectClass
  readonly reversible: boolean
  readonly reducing?: boolean
  readonly risk: RiskClass
  readonly touches?: 'none'
  readonly measures?: Readonly<Record<string, Expression>>
  readonly exposure?: { readonly measure: string; readonly threshold: string }
  /** Resource set of contracts → JSON pointer. */
  readonly scopes?: Readonly<Record<string, string>>
  readonly resources?: readonly ManifestResource[]
  /**
   * World that is recorded with the decision, besides what the delta is held to. State paths are found in the
   * expressions themselves.
   */
  readonly reads?: { readonly world?: readonly ManifestWorldRead[] }
  /** Name → the value in State that must not have moved; the path alone means a position, which is strict. */
  readonly jit_fields?: Readonly<Record<string, TextTemplate | ManifestJitField>>
  readonly sinks?: Readonly<Record<string, readonly FactLabel[]>>
  readonly accepts?: Accepts
  readonly cost?: Readonly<Record<string, Expression>>
  readonly precondition?: readonly Requirement[]
  readonly postcondition?: readonly Requirement[]
  readonly delta?: readonly ManifestOp[]
  /** `REVERT` and other choices that a contract may list. */
  readonly compensations?: Readonly<Record<string, ManifestExecutor>>
  readonly idempotency?: { readonly carrier: string; readonly window_s: number }
  readonly probe?: ManifestProbe
  /** What a result is worth to whoever reads it later: the label of what it says. */
  readonly labels?: { readonly result: 'trusted' | 'operator' | 'external' }
  readonly executor: ManifestExecutor
}

export type ManifestJitField = { readonly path: TextTemplate; readonly kind: FieldKind }

export type ManifestResource = {
  readonly id: TextTemplate
  readonly amount?: Expression
  readonly capacity?: Expression
}

export type ManifestWorldRead = { readonly kind: string; readonly id: TextTemplate }

/** It goes ahead only where `require` holds; `else` says what is missing. */
export type Requirement = { readonly require: ExpressionCondition; readonly else: string }

/** A change to World. `expected_version` of what is read is filled in from the decision's own view. */
export type ManifestOp =
  | {
      readonly op: 'create' | 'replace'
      readonly kind: string
      readonly id: TextTemplate
      readonly value: JsonTemplate
    }
  | { readonly op: 'retract'; readonly kind: string; readonly id: TextTemplate }
  | {
      readonly op: 'increment'
      readonly kind: string
      readonly id: TextTemplate
      readonly by: Expression
      readonly field?: string
    }

export type ManifestProbe = {
  readonly absence_authoritative: boolean
  readonly max_late_arrival_s: number
  readonly executor: ManifestExecutor
  /**
   * Judged on what the probe returns (`result`, `status`), in this order; neither: nobody knows yet. What cannot
   * be evaluated does not hold.
   */
  readonly applied: ExpressionCondition
  readonly absent: ExpressionCondition
}

export type ManifestExecutor =
  | { readonly http: HttpExecutor }
  | { readonly command: CommandExecutor }
  | { readonly mcp: McpExecutor }
  /** Nothing leaves the process: the delta is the effect. */
  | { readonly world: true }

export type HttpExecutor = {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** `https://host[:port]/path/{/pointer}`: scheme, host and port are literal, a parameter stays in its segment. */
  readonly url: TextTemplate
  readonly query?: Readonly<Record<string, Expression>>
  readonly headers?: Readonly<Record<string, string | SecretReference>>
  readonly body?: JsonTemplate
  /** The header that carries the idempotency key. */
  readonly idempotency_header?: string
  /** Statuses: `applied` it happened, `not_applied` it definitively did not; any other is UNKNOWN. */
  readonly applied: readonly number[]
  readonly not_applied?: readonly number[]
  /** Among `not_applied`, those after which the same call may succeed later. */
  readonly transient?: readonly number[]
  /** Where in the body the result stands; absent: the whole of it. */
  readonly result?: string
  readonly timeout_ms?: number
  readonly max_bytes?: number
}

export type CommandExecutor = {
  /** The first is an absolute path; no shell is started. A parameter is one argument. */
  readonly argv: readonly (string | { readonly param: string })[]
  /** Written to its standard input as JSON. */
  readonly stdin?: JsonTemplate
  readonly env?: Readonly<Record<string, string | SecretReference>>
  /** The variable that carries the idempotency key. */
  readonly idempotency_env?: string
  readonly applied: readonly number[]
  readonly not_applied?: readonly number[]
  readonly transient?: readonly number[]
  readonly timeout_ms?: number
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
  readonly timeout_ms?: number
  readonly max_bytes?: number
}
