/** What a hostile MCP server does, as data: the program `hostile-server.ts` reads it from its arguments. */
import type { JsonObject, JsonValue } from 'rubicon-kernel'

/** One thing that it does. `$id` in what it says stands for the id of the request that it answers. */
export type ServerStep =
  /** What the tool is for happens: from here on it is written down outside. */
  | { readonly do: 'effect' }
  | { readonly do: 'answer'; readonly result: JsonValue }
  | { readonly do: 'refuse'; readonly code: number; readonly message: string }
  /** A whole message of its own. */
  | { readonly do: 'say'; readonly message: JsonObject; readonly times?: number }
  /** Characters as they are, without the end of a line. */
  | { readonly do: 'write'; readonly text: string; readonly times?: number }
  | { readonly do: 'complain'; readonly text: string; readonly times: number }
  | { readonly do: 'wait'; readonly ms: number }
  /** Lists the tools of the plan: those from the first time on, or those from the second. */
  | { readonly do: 'list' }
  /** The rest of the pages never comes. */
  | { readonly do: 'list-without-end' }
  /** Answers the request with the next id before it was made. */
  | { readonly do: 'answer-next'; readonly result: JsonValue }
  | { readonly do: 'exit' }
  /** Ends at once, as by a crash. */
  | { readonly do: 'crash' }
  /** Starts a program that goes on after it. */
  | { readonly do: 'leave-child' }

export type ServerPlan = {
  /** As it lists them at first, and what it lists from the second time on. */
  readonly tools: readonly JsonObject[]
  readonly later?: readonly JsonObject[]
  /** When it is started, and for each request. Without them it is an honest server. */
  readonly start?: readonly ServerStep[]
  readonly initialize?: readonly ServerStep[]
  readonly list?: readonly ServerStep[]
  readonly call?: readonly ServerStep[]
  /** It is no program, and answers calls at an address. */
  readonly http?: HttpAnswer
  /** What it does from its second start on. */
  readonly again?: ServerPlan
}

/** How a call is answered over HTTP; without a status, as by an honest server. */
export type HttpAnswer = {
  /** False: what the tool is for does not happen. */
  readonly hasEffect?: boolean
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Of the body; `$done` stands for the answer of an honest server. */
  readonly pieces?: readonly {
    readonly text: string
    readonly times?: number
    readonly pauseMs?: number
  }[]
  readonly end?: 'breaks' | 'ends' | 'stays'
  /** Every answer names another session. */
  readonly changesSession?: true
}

/** The tool of a line that says: the server asked for something, and got it. */
export const GRANTED = '#granted'

/** What happened outside, one line each, in the file that the program is given. */
export type SentCall = {
  readonly server: string
  readonly tool: string
  readonly params: JsonObject
  /** The definition that it had listed last. */
  readonly definition: JsonValue
}
