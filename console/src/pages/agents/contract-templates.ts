/** What a contract can begin with: pieces of the cookbook, each whole, with words in capitals for what has to be filled in. */
export type ContractTemplate = {
  readonly value: string
  readonly label: string
  readonly body: string
}

export const CONTRACT_TEMPLATES: readonly ContractTemplate[] = [
  {
    value: 'amount',
    label: 'Up to an amount alone, above it with a person',
    body: `permissions:
  policy_kinds: [KIND]
  limits:
    - {id: alone, measure: MEASURE, max: "50.00", on_breach: escalate}
    - {id: ever, measure: MEASURE, max: "500.00"}
`,
  },
  {
    value: 'domain',
    label: 'Mail to our own domain alone',
    body: `permissions:
  policy_kinds: [KIND]
  limits:
    - {id: ours, field: /to/*, allowed: ['re:[a-z.]+@example[.]com']}
`,
  },
  {
    value: 'folder',
    label: 'Files in one folder',
    body: `permissions:
  policy_kinds: [KIND]
  resources:
    folders: ['/srv/notes/*']
  limits:
    - {id: no-parents, field: /path, denied: ['re:(?s)(.*/)?[.][.](/.*)?']}
`,
  },
  {
    value: 'people',
    label: 'Always two of three people',
    body: `permissions:
  policy_kinds: [KIND]
safety_rules:
  requires_human_approval: [KIND]
  approvers: {needs: 2, of: [ann@example.com, bob@example.com, eve@example.com]}
`,
  },
  {
    value: 'day',
    label: 'So much a day',
    body: `permissions:
  policy_kinds: [KIND]
safety_rules:
  budget_per_flow: {MEASURE: "80"}
  budget_per_agent: {window_s: 86400, MEASURE: "100"}
`,
  },
  {
    value: 'observe',
    label: 'It may look, and do nothing',
    body: `role: MONITOR
authority: OBSERVE
permissions:
  policy_kinds: []
`,
  },
]

export type TemplateNames = {
  readonly owner: string
  readonly today: string
  readonly kind: string | null
  readonly measure: string | null
}

/** Whole, and in force from today on. What exists here takes the place of words in capitals. */
export function writeTemplate(
  { body }: ContractTemplate,
  { owner, today, kind, measure }: TemplateNames,
): string {
  const authority = body.includes('authority:')
    ? ''
    : 'role: EXECUTOR\nauthority: EXECUTE_LIMITED\n'
  const head = `api_version: rubicon/v1
kind: ResponsibilityContract
agent_id: my_agent
version: 1.0.0
owner: ${JSON.stringify(owner)}
effective_from: ${today}
mission: Say here what it is for.
${authority}`
  const filled = body.replaceAll('MEASURE', () => measure ?? 'MEASURE')
  return `${head}${filled.replaceAll('KIND', () => kind ?? 'KIND')}`
}
