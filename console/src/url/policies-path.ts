/** Parts of the page of policies, as links name them. */
export function toPolicyPlace(policy: string): string {
  return `policy ${policy}`
}

export function toRulePlace(policy: string, rule: string): string {
  return `rule ${policy} ${rule}`
}

export function toActionPlace(kind: string): string {
  return `action ${kind}`
}

export function toPoliciesHref(place: string): string {
  return `/policies?show=${encodeURIComponent(place)}`
}
