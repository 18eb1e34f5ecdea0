/** A rule that asks a person: what most policies begin with. */
export const EXAMPLE_POLICY = `@id("large_refunds")
@reason("refunds above 100 wait for a person")
@require_approval("operator")
forbid(principal, action == Action::"REFUND", resource)
when { context.measures.refund_usd.greaterThan(decimal("100.0")) };
`
