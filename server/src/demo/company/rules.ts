/** Rules of the company for all of its agents, beside their contracts. */
import type { CedarText } from 'rubicon-runtime/policies'

export const COMPANY_RULES: CedarText = {
  name: 'company',
  text: `@id("orders-on-hold")
@reason("the order is on hold: somebody from fraud looks at it first")
forbid(principal, action == Action::"REFUND", resource)
when { context.params.order like "hold-*" };

@id("candidates-stay-in-staging")
@reason("a release candidate is not for customers")
forbid(principal, action == Action::"DEPLOY", resource)
when { context.params.environment == "production" && context.params.version like "*-rc*" };
`,
}
