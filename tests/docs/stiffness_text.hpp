// The words of docs/stiffness.md, between its tables.
#pragma once

namespace driftless::tests {

inline const char* const text_meaning = R"(# Stiffness, and which formulation keeps it harmless

    driftless run stiff-pendulum --set k=1e12 --formulation ggl --integrator bdf

An ordinary differential equation is stiff when its solution is slow and its neighbours are fast: they run into the slow motion within a
time that nobody wants to resolve. Explicit methods must resolve it nevertheless; BDF methods (`bdf`) need not. A constrained system has
three places where fast neighbours can come from, and only one of them is harmless in every formulation:

1. **Forces**: a stiff spring with a damper. This is the "frozen coefficients part" of the equation of the free motion, (2.13) of Ascher
   and Petzold (1993): what it would be if masses and constraints stood still.
2. **Masses and constraints that change**, together with a constraint force that is far from perpendicular to them (B far from G^T, M nearly
   singular). The free motion itself is then stiff through the change of its own coordinates, R' S in their notation.
3. **The formulation**: large gains of Baumgarte's, constraints that turn fast, and corrections that push positions into a stiff spring.

A formulation *keeps BDF stiff* if the number of steps stays bounded while the stiffness grows, and the error stays near the tolerance.
All tables show just that: steps and largest error of the coordinates at the end, rtol = atol = 1e-6, with every default (`index1`,
`baumgarte` and `invariant-stabilized` with the stabilizer `post`). `> 10000` is where a run was given up. The last row is an explicit
method for comparison: it has to follow the fast scale. `./dev docs` writes this page; `./dev test -R BdfStiff` holds what it claims; a
cell can be had by itself,

    driftless run 000-example2 --set nu=1000 --t-end 1 --formulation projected-invariants --integrator bdf

## Stiff forces

`stiff-pendulum` hangs from a carriage that a spring of stiffness k and a critical damper hold: rates of sqrt(k), a million per second for
k = 1e12, beside a swing of two seconds. x and y are measured from the carriage, so that the stretch of the spring is a coordinate of its
own. A BDF method treats the frozen part implicitly before and after any of the reformulations (their Case 3), so that all of them should
do, and they do, except for `D=input`: it moves positions along M^-1 G^T, which has a component along the spring (see below).

)";

inline const char* const text_transient = R"(
From a start off the slow motion (`stretch=1e-6`, for k = 1e12 half a joule that is gone after some microseconds) every formulation needs
some steps more, in most of them so many for each power of ten of k:

)";

inline const char* const text_flyball = R"(
`flyball`, the governor of the IFToMM benchmarks with its stiff damped springs, has no constraints in its symmetric form, so that
formulations agree:

)";

inline const char* const text_absolute = R"(
## Corrections that reach into a spring

The same pendulum, `coordinates=absolute`: x is measured from the spring's rest position, and the constraint (x - s)^2 + y^2 = 1 contains
the stretch s. Nothing physical has changed; but a correction of positions along G^T by some 1e-9 now has a component in s, which changes
the force by k 1e-9 and starts the spring anew after every step. That concerns whatever moves positions without asking for forces: `post`,
and with it `index1` and both feedbacks, the multipliers of `ggl` and `projected-invariants`, and the choice of coordinates in
`state-space`, which divides a change of q among all of them. It does not concern `index3`, `index2` and `index2-baumgarte`, where a
constraint acts by lambda only, nor `index1` without a stabilizer, nor multipliers along a coordinate that the spring does not hold
(`D=unit`: y). Ascher and Petzold have it as the choice of the weight W in (4.18)-(4.22): "an unfortunate choice may again produce a
nonstiff behavior out of a BDF scheme".

)";

inline const char* const text_example2 = R"(
So: give a stiff spring a coordinate of its own that no constraint contains; where that cannot be, use `index2-baumgarte`, `index3`, or a
D that leaves it alone.

## Constraint forces far from the constraints

`000-example2` is x' = q - B lambda, 0 = C x + r with C slow and B = ((2 - t) nu, nu - 1). There is no force at all; the free motion obeys
u' = -nu/(2 - t) u, and all of that is R' S, the change of coordinates (their Case 4). Solved directly (`index2`, which for order 1 is
`ggl` too), the equation of a step can be resolved for x: the amplification matrix is (4.4), (I - h H A)^-1 (I - h F C') with F = B (C
B)^-1. What belongs to the forces, A, is implicit; what belongs to the constraints, F C', is *explicit*, and higher orders share that.
Hence nu h < 2 (2 - t), as for forward Euler (error control lets single steps exceed it). Before that limit comes another one: the constraint turns the local error along B, which
makes it |F| = O(nu) times larger, h = O(sqrt(tol/nu)) at order 1, and since this part jumps with every change of the step, orders do not
rise. In `index1` the constraint is differentiated before the discretization: (4.3), (I - h H A + h F C')^-1, everything is implicit.
`projected-invariants` adds C^T mu to that, (4.7), in order to impose g: now C^T has the place of B, and C^T (C C^T)^-1 C' is as small as
C' is. Its D may be chosen freely and should be: with D = B (`D=input`) the trouble is back. `state-space` is the equation of the free
motion itself. Baumgarte's feedback has -gamma F C in K of x' = K x + k: harmless for a small gamma, and for a large one `index2` again.

)";

inline const char* const text_stability = R"(
The limit of stability itself shows where accuracy asks for little, rtol = atol = 1e-2: steps proportional to nu, against a handful.

)";

inline const char* const text_example3 = R"(
`000-example3` is the same as a mechanism: G = (1, t - 2) is slow, M is symmetric, positive definite and nearly singular, so that B = M^-1
G^T is large and far from G^T. For eps = 1 and 0 (two choices of the force) the free motion is stiff; for eps = 2 it is not, and an
explicit method does with a handful of steps. Everything in which lambda is an unknown together with an imposed constraint has B in its
index-2 part and fails: `index3`, `index2`, `index2-baumgarte`, and `ggl` with any D, since D does not touch how lambda enters (Tables
4.4, 4.6, 4.8); also with eps = 2, where nothing is stiff but the formulation. `stabilized-index1` resolves lambda first, but moves
velocities by M^-1 G^T eta, which is B again. What survives is what the paper recommends, (4.14) with D = G^T, its relatives (4.16) and
(4.17), and the underlying equation with a correction along G^T (`index1` with `post`, `invariant-stabilized`), or without constraints
(`state-space`).

)";

inline const char* const text_example1 = R"(
## Constraints that turn fast

`000-example1`: C = (sin nu t, cos nu t), B = C^T, a solution that does not know nu. F C' is a rotation of size nu, not a decay. Whoever
imposes C x + r = 0 at the new time needs hardly more steps at nu = 1e4 than at nu = 1, with dozens of turns within one step. The
differentiated constraint without correction (`index1` with `none`) is useless: errors along C, which turns away, grow. With `post` it
lives on the correction. Baumgarte's gamma must be above nu (Table 4.1), and was ruinous in Example 2: no gamma serves both. `state-space`
depends on how the turns meet its choice of coordinates, and is not to be relied on.

)";

inline const char* const text_example4 = R"(
`000-example4` is the mechanism with such a constraint and a force -nu^2 v (steps, error of q, error of v). Here accuracy separates
formulations, not stability: 0 = g' reads C v = -C' q - r', so that with |C'| = nu an error in q becomes nu times that in v, which is
judged. `ggl`, variant b, `index1` with `post` and `state-space` have to make q nu times more accurate than asked for, and the number of
steps grows like nu. Variant c pushes along H^T (mu, eta), the shortest way back to both constraints, and so makes q accurate where v
needs it (4.17), in a unit of time in which the turns are fast, see [projected-invariants](methods/projected-invariants.md);
`stabilized-index1` is the same here. Variant a does not impose g' (4.14). `index3` has
velocities from differences of positions, which have to be as much more accurate, until roundoff divided by h ends the run. `index2` lets positions drift, and has the drift times nu in v.

)";

inline const char* const text_shaken = R"(
## Constraints that move fast with the motion

A pendulum upright on a pivot that a drive shakes by 1 mm at the rates below, to t = 0.2. Nothing turns within a step: steps follow the shaking
in every formulation. What differs is what becomes of the errors that the fast motion leaves in the velocities, thousands of times: steps, and the error of
the angle over the tolerance. Pushed along M^-1 G^T, as by lambda, they do not change the momentum of the free motion (`ggl`, `index2`, `stabilized-index1`,
the overdetermined forms, `D=input`); along G^T they do, and errors grow with the rate (`index1` with `post`, `projected-invariants` with D = G^T). Moving *positions* for
errors of velocities with the second for the unit of time, as the papers' formulas read in SI (`time=model`), is wrong by thousands of tolerances without
any sign of it in the drift; in the unit of time of the motion, the default, it does no harm.

)";

inline const char* const text_oscillation = R"(
## Where BDF itself fails

**Fast oscillations that nothing damps.** Orders 1 and 2 are stable for every decaying motion, orders 3, 4 and 5 only within 86, 73 and 52
degrees of pure decay. A lightly damped oscillation lies outside: where h sqrt(k) is of the order of 1 it *grows* at high orders, until
the error control answers with steps that resolve it. Below, `stiff-pendulum` without any damping starts on the slow motion, so that there
is hardly anything to grow: a soft spring has to be resolved anyway, a very stiff one is far outside of the dangerous region; in between
steps are wasted. `max_order=2` does not see the spring, and pays with the steps of a method of order 2.

)";

inline const char* const text_small = R"(
It is the remedy where an oscillation is there, and smaller than what one wants to see: `stretch=1e-6` with rtol = atol = 1e-5. Order 2
damps it; higher orders, the nearly stable order 3 included, follow every swing:

)";

inline const char* const text_swinging = R"(
**Oscillations that are there.** Where the spring swings by more than the tolerance (`stretch=1e-5`, no damping), the oscillation is part
of the solution. No method of this page may step over it, steps grow with sqrt(k), and an explicit method is the cheaper one:

)";

inline const char* const text_radau5 = R"(
## `radau5`

[radau5](methods/radau5.md) is L-stable at its one order, 5: oscillations that are faster than the steps are damped, not amplified. On the
stiff pendulum its steps do not depend on the spring, with damping and (the last three columns) without:

)";

inline const char* const text_radau5_examples = R"(
In the examples above the same formulations are the good ones. The usual Newton iteration has the derivatives of one point for all three
stages, and fails where a constraint turns within a step; then all stages are solved for at once, which costs a multiple per step. So steps do
not depend on nu where theory says so: in `projected-invariants` on all four examples, in `index2` on Example 1. Where stability holds bdf
(`index2` and `ggl` on Examples 2 and 3) steps grow with nu here, too, but far less than in proportion. On Example 4 those of `index2`, `index1` and
`state-space` grow: the first two let positions drift off a constraint that turns, the third changes its coordinates with it.

)";

inline const char* const text_recommendations = R"(
**Jumps** of the force are found by the error control, which costs some rejected steps for each. Use an event where the time of a jump is known.

## What to use

| the system | use `bdf` with |
|---|---|
| stiff springs and dampers, ordinary mechanisms | `ggl`, or `index1` |
| a stiff spring whose stretch is part of a constraint | `index2-baumgarte` or `index3`; better, other coordinates |
| masses of very different size, a given B far from G^T | `projected-invariants` (D = G^T), `index1` with `post`, `state-space`; not `ggl`, `index2`, `index3`, nor D = `input` |
| constraints that turn faster than the motion | `projected-invariants` (variant c, the default), `stabilized-index1` where M is far from singular |
| constraints that move fast with the motion (driven or shaken points) | `ggl`, `stabilized-index1`, `projected-invariants:D=input`; `projected-invariants` with D = G^T loses a factor of accuracy there |
| you do not know | `projected-invariants`: no example of this page defeats it in good coordinates; where something is driven fast, compare with `ggl` |
| hardly any damping, fast oscillations that are not of interest | `radau5` or `bdf:max_order=2`; better, the damping that the spring has |
| oscillations that matter | an explicit method: `dopri5`, `dop853` |
| lambda matters | not `index3` |

Two signs that a formulation is the wrong one: many rejected steps (a fifth to a quarter of all, in Examples 2 and 3), and a number of steps that does
not fall when the tolerance is loosened, because stability, not accuracy, chooses the step.

See: U. Ascher, L. Petzold, "Stability of computational methods for constrained dynamics systems", SIAM J. Sci. Comput. 14 (1993),
sections 3 and 4, whose tables `driftless reproduce 000` computes again with backward Euler;
[projected-invariants](methods/projected-invariants.md), [ggl](methods/ggl.md), [index2-baumgarte](methods/index2-baumgarte.md).
)";

}  // namespace driftless::tests
