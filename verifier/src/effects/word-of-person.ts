import { isBlank, type JsonObject } from 'rubicon-kernel'

/** Somebody is named who says so, and why. A name or a reason that nobody can see is none. */
export function isWordOfPerson({ by, justification }: JsonObject): boolean {
  return [by, justification].every((text) => typeof text === 'string' && !isBlank(text))
}
