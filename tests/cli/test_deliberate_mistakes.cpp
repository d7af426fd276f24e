// Mistakes that a new user makes in a model file or on the command line: each is answered by a sentence that names the cause.
// Each is one of four models that work, with some words replaced.
#include <fstream>
#include <sstream>
#include <utility>

#include "program.hpp"

namespace driftless::cli {
namespace {

using DeliberateMistakes = Program;

const char* const pendulum = R"(title = 'Pendulum'
dimensions = 2
gravity = [0, -9.81]
[parameters]
length = 0.8
[body.rod]
from = [0, 0]
to = ['length', 0]
mass = 1.2
shape = {type = 'link'}
[joint.pivot]
type = 'revolute'
between = ['ground', 'rod']
at = [0, 0]
[run]
t_end = 1
)";

const char* const slider = R"(title = 'Slider-crank'
dimensions = 2
gravity = [0, -9.81]
[parameters]
k = 2000
[body.crank]
from = [0, 0]
to = [0.1, 0]
mass = 0.05
shape = {type = 'link'}
[body.rod]
from = [0.1, 0]
to = [0.4, 0]
mass = 0.8
shape = {type = 'link'}
[body.piston]
at = [0.4, 0]
mass = 1
inertia = 1e-3
[joint.shaft]
type = 'revolute'
between = ['ground', 'crank']
at = [0, 0]
[joint.pin]
type = 'revolute'
between = ['crank', 'rod']
at = [0.1, 0]
[joint.wrist]
type = 'revolute'
between = ['rod', 'piston']
at = [0.4, 0]
[joint.cylinder]
type = 'prismatic'
between = ['ground', 'piston']
at = [0.4, 0]
axis = [1, 0]
[start]
positions = {'shaft.angle' = 1}
[force.gas]
type = 'spring-damper'
on = 'cylinder.position'
stiffness = 'k'
damping = 5
rest = 0
[run]
t_end = 0.2
)";

const char* const bars = R"(title = 'Four-bar linkage'
dimensions = 2
gravity = [0, -9.81]
[body.crank]
from = [0, 0]
to = [0, 1]
mass = 1
shape = {type = 'link'}
[body.coupler]
from = [0, 1]
to = [2, 1.5]
mass = 2
shape = {type = 'link'}
[body.rocker]
from = [2, 0]
to = [2, 1.5]
mass = 1.5
shape = {type = 'link'}
[joint.A]
type = 'revolute'
between = ['ground', 'crank']
at = [0, 0]
[joint.B]
type = 'revolute'
between = ['crank', 'coupler']
at = [0, 1]
[joint.C]
type = 'revolute'
between = ['coupler', 'rocker']
at = [2, 1.5]
[joint.D]
type = 'revolute'
between = ['ground', 'rocker']
at = [2, 0]
[start]
rates = {'A.angle' = -2}
[run]
t_end = 0.5
)";

const char* const space = R"(title = 'Ball on a carriage'
gravity = [0, 0, -9.81]
[body.carriage]
at = [0, 0, 0]
mass = 2
inertia = [0.01, 0.01, 0.01]
shape = {type = 'box', size = [0.2, 0.1, 0.1]}
[body.bob]
from = [0, 0, 0]
to = [0, 0, -1]
mass = 1
inertia = [0.001, 0.1, 0.1]
shape = {type = 'capsule', radius = 0.02}
[joint.rail]
type = 'prismatic'
between = ['ground', 'carriage']
at = [0, 0, 0]
axis = [1, 0, 0]
[joint.ball]
type = 'spherical'
between = ['carriage', 'bob']
at = [0, 0, 0]
[start]
rates = {'rail.position' = 1}
[run]
t_end = 0.5
)";

// What stands first is replaced where it is first found by what stands second; nothing is replaced by what is appended.
using Edits = std::vector<std::pair<std::string, std::string>>;

// The file has the mistake's name and is put behind the command's first word; the answer is a piece of the sentence that names the cause.
struct Mistake {
  std::string name;
  const char* model;
  Edits edits;
  Words words;
  int status;
  std::string answer;
};

// clang-format off
const std::vector<Mistake> mistakes = {
  // Units.
  {"gravity-of-metres-in-mm", pendulum, {{"[parameters]", "[units]\nlength = 'mm'\n[parameters]"}, {"= 0.8", "= 800"}}, {"run"}, 0,
   "the number is that of the Earth in m/s2, and the file's unit of length is mm"},
  {"gravity-of-mm-in-metres", pendulum, {{"-9.81", "-9810"}}, {"check"}, 0,
   "the number is that of the Earth in mm/s2, and the file's unit of length is m"},
  {"lengths-in-mm", pendulum, {{"= 0.8", "= 800"}}, {"check"}, 0,
   "body rod: its shapes have a density of 4.346e-07 kg/m3 (10 to 25000 expected)"},
  {"mass-in-grams", pendulum, {{"= 1.2", "= 1200"}}, {"check"}, 0,
   "body rod: its shapes have a density of 4.346e+05 kg/m3 (10 to 25000 expected)"},
  {"one-letter-metre", pendulum, {{"= 0.8", "= '0.8*m'"}}, {"check"}, 2,
   "units of one letter are left to the names of parameters; write 1000*mm for 1 m"},
  {"one-letter-gram", pendulum, {{"= 1.2", "= '1200*g'"}}, {"check"}, 2,
   "write 0.001*kg for 1 g"},
  {"one-letter-second", pendulum, {{"t_end = 1", "t_end = '5*s'"}}, {"run"}, 2,
   "write 1000*ms for 1 s"},
  {"one-letter-newton", slider, {{"'k'", "'2*N/mm'"}}, {"check"}, 2,
   "write 0.001*kN for 1 N"},
  {"degrees-at-the-start", slider, {{"' = 1}", "' = 60}"}}, {"run"}, 0,
   "start of shaft.angle: its angle is 60 rad, 9.55 turns (at most 2 expected); if degrees are meant, write \"60*deg\""},
  {"degrees-of-a-body", slider, {{"inertia = 1e-3", "inertia = 1e-3\nangle = 90"}}, {"check"}, 0,
   "body piston: its angle is 90 rad, 14.3 turns"},
  {"length-for-mass", pendulum, {{"= 1.2", "= '30*mm'"}}, {"check"}, 2,
   "'30*mm' is a length (m), and a mass (kg) is expected here"},
  {"mass-for-inertia", slider, {{"= 1e-3", "= '1e-3*kg'"}}, {"check"}, 2,
   "is a mass (kg), and a moment of inertia (kg m^2) is expected here"},
  {"force-for-stiffness", slider, {{"'k'", "'2*kN'"}}, {"check"}, 2,
   "is a force (N), and a stiffness (N/m) is expected here"},
  {"length-for-time", pendulum, {{"t_end = 1", "t_end = '20*mm'"}}, {"run"}, 2,
   "is a length (m), and a time (s) is expected here"},
  {"speed-for-angle", slider, {{"", "[drive.motor]\non = 'shaft.angle'\nmotion = '1500*rpm'\n"}}, {"check"}, 2,
   "is a rate of turning (rad/s), and an angle (rad) is expected here"},
  {"unit-spelt-out", pendulum, {{"[parameters]", "[units]\nlength = 'meter'\n[parameters]"}}, {"check"}, 2,
   "there is no unit 'meter' of length; there are m, km, cm, mm"},
  {"degrees-converted-by-hand", slider, {{"[parameters]", "[units]\nangle = 'deg'\n[parameters]"}, {"", "[force.f]\ntype = 'actuator'\non = 'shaft.angle'\nforce = '2*sin(shaft.angle*pi/180)'\n"}}, {"check"}, 2,
   "is converted to radians by hand; leave the factor 0.0174533 out"},
  {"joint-in-mm", slider, {{"['rod', 'piston']\nat = [0.4, 0]", "['rod', 'piston']\nat = [400, 0]"}}, {"check"}, 0,
   "joint wrist: its axis passes 399.6 m beside body rod"},
  {"inertia-in-kg-mm2", pendulum, {{"= 1.2", "= 1.2\ninertia = 64000"}}, {"check"}, 0,
   "belong to a radius of gyration of 230.9 m, and the body is 0.88 m large"},
  // Names.
  {"misspelt-body", pendulum, {{"'rod']", "'rood']"}}, {"check"}, 2,
   "there is no body 'rood' (did you mean rod?)"},
  {"ground-with-a-capital", pendulum, {{"'ground'", "'Ground'"}}, {"check"}, 2,
   "there is no body 'Ground' (did you mean ground?)"},
  {"hinge", pendulum, {{"'revolute'", "'hinge'"}}, {"check"}, 2,
   "there is no joint type 'hinge'"},
  {"slider", slider, {{"'prismatic'", "'slider'"}}, {"check"}, 2,
   "(did you mean prismatic?)"},
  {"ball", space, {{"'spherical'", "'ball'"}}, {"check"}, 2,
   "(did you mean spherical?)"},
  {"spring", slider, {{"'spring-damper'", "'spring'"}}, {"check"}, 2,
   "(did you mean spring-damper?)"},
  {"shape", pendulum, {{"'link'", "'bar'"}}, {"check"}, 2,
   "there is no shape 'bar'; there are box, sphere, cylinder, capsule, link"},
  {"misspelt-key", pendulum, {{"mass =", "mas ="}}, {"check"}, 2,
   "body.rod.mas: there is no key 'mas' here (did you mean mass"},
  {"misspelt-key-of-run", pendulum, {{"t_end", "tend"}}, {"run"}, 2,
   "there is no key 'tend' here (did you mean t_end?)"},
  {"misspelt-unit-key", pendulum, {{"[parameters]", "[units]\nlenght = 'mm'\n[parameters]"}}, {"check"}, 2,
   "there is no key 'lenght' here (did you mean length?)"},
  {"misspelt-table", pendulum, {{"[joint.pivot]", "[joints.pivot]"}}, {"check"}, 2,
   "there is no key 'joints' here (did you mean joint"},
  {"setting-of-another-name", slider, {{"stiffness =", "spring ="}}, {"check"}, 2,
   "there is no key 'spring' here; there are between, curve, damping, dashpot, on, preload, rest, stiffness, type"},
  {"misspelt-joint-in-a-formula", slider, {{"", "[force.f]\ntype = 'actuator'\non = 'shaft.angle'\nforce = '-2*schaft.angle'\n"}}, {"check"}, 2,
   "there is no name 'schaft.angle' (did you mean shaft.angle"},
  {"coordinate-of-another-type", slider, {{"'cylinder.position'", "'cylinder.angle'"}}, {"check"}, 2,
   "joint cylinder has no coordinate 'angle'; it has position"},
  {"unknown-column", pendulum, {{"", "[output]\ncolumns = ['rod.position']\n"}}, {"run"}, 2,
   "there is no output 'rod.position'; rod has x, y, angle"},
  {"unknown-expectation", pendulum, {{"", "[expect]\n'rod.position' = {at = 1, value = 0, tolerance = 1}\n"}}, {"run"}, 2,
   "there is no output 'rod.position'; rod has x, y, angle"},
  {"unknown-start", slider, {{"'shaft.angle'", "'schaft.angle'"}}, {"check"}, 2,
   "there is no joint or body 'schaft' (did you mean shaft?)"},
  {"joint-for-coordinate", slider, {{"", "[drive.motor]\non = 'shaft'\nmotion = '30*t'\n"}}, {"check"}, 2,
   "'shaft' is no coordinate of a joint; write JOINT.COORDINATE"},
  {"name-twice", pendulum, {{"[joint.pivot]", "[joint.rod]"}}, {"check"}, 2,
   "the name 'rod' is taken by a body"},
  // Places.
  {"joint-beside-its-body", pendulum, {{"at = [0, 0]", "at = [0, 0.3]"}}, {"check"}, 0,
   "joint pivot: its axis passes 0.26 m beside body rod"},
  {"joint-without-a-place", slider, {{"['rod', 'piston']\nat = [0.4, 0]", "['rod', 'piston']"}}, {"check"}, 1,
   "joint wrist: 'at' is missing"},
  {"joint-of-another-body", bars, {{"['crank', 'coupler']", "['crank', 'rocker']"}}, {"check"}, 1,
   "joint B: its axis passes 1.925 m beside body rocker"},
  {"end-of-a-bar-mistyped", bars, {{"to = [2, 1.5]", "to = [2, 1]"}}, {"check"}, 0,
   "joint C: its axis passes 0.4 m beside body coupler"},
  {"decimal-comma-in-a-place", slider, {{"at = [0.4, 0]\nmass = 1\ninertia = 1e-3", "at = [0,4, 0]\nmass = 1\nshape = {type = 'box', size = [0.06, 0.04, 0.04]}"}}, {"check"}, 2,
   "a decimal comma? Write 0.4 for 0,4"},
  {"axis-across-the-track", slider, {{"axis = [1, 0]", "axis = [0, 1]"}}, {"check"}, 1,
   "there pin, wrist and cylinder are in the way"},
  {"no-axis", slider, {{"axis = [1, 0]", "axis = [0, 0]"}}, {"check"}, 2,
   "joint.cylinder.axis: axis has no direction: its length is 0"},
  {"ends-equal", pendulum, {{"to = ['length', 0]", "to = [0, 0]"}}, {"check"}, 2,
   "from and to are the same point; give two"},
  {"bar-of-no-length", bars, {{"'revolute'\nbetween = ['ground', 'rocker']\nat = [2, 0]", "'distance'\nbetween = ['ground', 'rocker']\nfrom = [2, 0]\nto = [2, 0]"}}, {"check"}, 2,
   "joint D has points that meet, and no length"},
  {"markers-crossed", bars, {{"'coupler']\nat = [0, 1]", "'coupler']\na = {at = [-1.03, 0]}\nb = {at = [0.5, 0]}"}}, {"run"}, 0,
   "joint B: its axis passes 0.48 m beside body crank"},
  {"marker-at-the-wrong-end", bars, {{"'coupler']\nat = [0, 1]", "'coupler']\na = {at = [-0.5, 0]}\nb = {at = [-1.03, 0]}"}}, {"check"}, 0,
   "as given B, y is open by 1 m"},
  {"joint-of-a-body-with-itself", pendulum, {{"'ground', 'rod'", "'rod', 'rod'"}}, {"check"}, 2,
   "joint pivot connects body rod with itself"},
  {"spring-without-ends", pendulum, {{"", "[force.s]\ntype = 'spring-damper'\nbetween = ['ground', 'rod']\nat = [0.4, 0]\nstiffness = 100\n"}}, {"check"}, 2,
   "force s begins with its points at the same place"},
  {"body-without-joints", bars, {{"", "[body.lost]\nat = [5, 5]\nmass = 1\ninertia = 1\n"}}, {"check"}, 0,
   "body lost: 0 joints and forces lead from there to the ground"},
  {"three-bodies", bars, {{"'coupler']", "'coupler', 'rocker']"}}, {"check"}, 2,
   "between names 3 bodies (must be 2)"},
  // Signs.
  {"negative-mass", pendulum, {{"= 1.2", "= -1.2"}}, {"check"}, 2,
   "mass is -1.2 (must be above 0)"},
  {"no-mass", pendulum, {{"= 1.2", "= 0"}}, {"check"}, 2,
   "mass is 0 (must be above 0)"},
  {"negative-inertia", slider, {{"= 1e-3", "= -1e-3"}}, {"check"}, 2,
   "inertia is -0.001 (must be above 0)"},
  {"impossible-inertia", space, {{"[0.001, 0.1", "[1, 0.1"}}, {"run"}, 2,
   "body bob: the largest principal moment of inertia is 1 kg m2 and the sum of the others 0.2 kg m2"},
  {"negative-damping", slider, {{"= 5", "= -5"}}, {"check"}, 2,
   "force gas of type spring-damper: damping = -5; it must be 0 or positive"},
  {"negative-friction", slider, {{"", "[force.b]\ntype = 'friction'\non = 'shaft.angle'\ncoefficient = -0.1\n"}}, {"check"}, 2,
   "coefficient = -0.1; it must be 0 or positive"},
  {"negative-width", pendulum, {{"'link'", "'link', width = -0.05"}}, {"check"}, 2,
   "width is -0.05 (must be above 0)"},
  // What is missing.
  {"no-mass-given", slider, {{"mass = 1\n", ""}}, {"check"}, 2,
   "body.piston: 'mass' is missing"},
  {"no-inertia-given", slider, {{"inertia = 1e-3\n", ""}}, {"check"}, 2,
   "body.piston: 'inertia' is missing"},
  {"no-type", pendulum, {{"type = 'revolute'\n", ""}}, {"check"}, 2,
   "joint.pivot: 'type' is missing"},
  {"no-bodies", pendulum, {{"between = ['ground', 'rod']\n", ""}}, {"check"}, 2,
   "joint.pivot: 'between' is missing"},
  {"no-title", pendulum, {{"title = 'Pendulum'\n", ""}}, {"check"}, 2,
   "'title' is missing"},
  {"no-motion", slider, {{"", "[drive.motor]\non = 'shaft.angle'\n"}}, {"check"}, 2,
   "drive.motor: 'motion' is missing"},
  {"no-ratio", slider, {{"", "[joint.w]\ntype = 'gear'\njoints = ['shaft', 'pin']\n"}}, {"check"}, 2,
   "joint w of type gear needs 'ratio'"},
  {"no-stiffness", slider, {{"stiffness = 'k'\ndamping = 5\n", ""}}, {"check"}, 2,
   "force gas does nothing; give it a stiffness"},
  {"no-direction", pendulum, {{"", "[drive.d]\npoint = {body = 'rod', at = [0.4, 0]}\nmotion = '0.1*t'\n"}}, {"check"}, 2,
   "drive.d: 'along' is missing"},
  {"open-loop", slider, {{"[joint.wrist]\ntype = 'revolute'\nbetween = ['rod', 'piston']\nat = [0.4, 0]\n", ""}}, {"check"}, 0,
   "3 degrees of freedom"},
  // Starts out of reach.
  {"position-out-of-reach", slider, {{"'shaft.angle' = 1", "'cylinder.position' = 1"}}, {"run"}, 2,
   "[start] asks for cylinder.position = 1 m, and from where the bodies are given the nearest that can be reached is 0 m"},
  {"two-positions", slider, {{"' = 1}", "' = 1, 'cylinder.position' = 0.05}"}}, {"check"}, 1,
   "start of cylinder.position: [start] asks for cylinder.position = 0.05 m"},
  {"held-and-placed", slider, {{"positions", "hold = ['cylinder.position']\npositions"}}, {"check"}, 1,
   "there pin, wrist and cylinder.position are in the way"},
  {"rates-that-contradict", slider, {{"' = 1}", "' = 1}\nrates = {'shaft.angle' = 3, 'cylinder.position' = 5}"}}, {"run"}, 2,
   "start of shaft.angle: [start] asks for a rate of shaft.angle of 3 rad/s, and what the joints, drives and rates before it leave is -50.03 rad/s"},
  {"bar-too-long", pendulum, {{"", "[joint.bar]\ntype = 'distance'\nbetween = ['ground', 'rod']\nfrom = [0, 0]\nto = [0.8, 0]\nlength = 0.9\n"}}, {"run"}, 2,
   "pivot and bar: cannot be closed together"},
  // Drives.
  {"two-drives", slider, {{"", "[drive.m1]\non = 'shaft.angle'\nmotion = '1 + 30*t'\n"}, {"", "[drive.m2]\non = 'shaft.angle'\nmotion = '1 + 20*t'\n"}}, {"run"}, 2,
   "the constraints contradict each other at the start: m2 depends on m1"},
  {"drive-twice", slider, {{"", "[drive.m1]\non = 'shaft.angle'\nmotion = '1 + 30*t'\n"}, {"", "[drive.m2]\non = 'shaft.angle'\nmotion = '1 + 30*t'\n"}}, {"check"}, 0,
   "drive m2: the drive repeats what m1 already say"},
  {"crank-and-piston-driven", slider, {{"", "[drive.m1]\non = 'shaft.angle'\nmotion = '1 + 30*t'\n"}, {"", "[drive.m2]\non = 'cylinder.position'\nmotion = '-0.05 + 0.1*t'\n"}}, {"run"}, 2,
   "pin, wrist, shaft, cylinder and drive m1 are in the way"},
  {"drive-against-position", slider, {{"", "[drive.motor]\non = 'shaft.angle'\nmotion = '2 + 30*t'\n"}}, {"run"}, 2,
   "[start] asks for shaft.angle = 1 rad, and from where the bodies are given the nearest that can be reached is 2 rad: there drive motor is in the way"},
  {"drive-against-rate", slider, {{"' = 1}", "' = 1}\nrates = {'shaft.angle' = 5}"}, {"", "[drive.motor]\non = 'shaft.angle'\nmotion = '1 + 30*t'\n"}}, {"run"}, 2,
   "asks for a rate of shaft.angle of 5 rad/s, and what the joints, drives and rates before it leave is 30 rad/s"},
  {"drive-beyond-reach", slider, {{"", "[drive.motor]\non = 'cylinder.position'\nmotion = '-0.0580127139 - t'\n"}}, {"run"}, 1,
   "motor can no longer be met together by finite velocities"},
  {"drive-of-a-fixed-joint", slider, {{"'revolute'\nbetween = ['ground'", "'fixed'\nbetween = ['ground'"}, {"'shaft.angle' = 1", ""}, {"", "[drive.motor]\non = 'shaft.angle'\nmotion = '30*t'\n"}}, {"check"}, 2,
   "joint shaft has no coordinates; name another"},
  {"drive-that-jumps", slider, {{"", "[drive.motor]\non = 'shaft.angle'\nmotion = 'if(t < 0.1, 1, 2)'\n"}}, {"run"}, 0,
   "drive motor: its value jumps by 1 rad at t = 0.1 s (from 1 to 2 rad); it is blended"},
  {"drive-with-a-kink", slider, {{"", "[drive.motor]\non = 'shaft.angle'\nmotion = '1 + 10*max(t - 0.1, 0)'\n"}}, {"run"}, 1,
   "the rate of what motor prescribes jumps by 10 at t = 0.1"},
  // Formulas.
  {"open-parenthesis", slider, {{"'k'", "'(k + 10*2'"}}, {"check"}, 2,
   "an operator or ')' was expected after the '(' at position 1, not the end"},
  {"unknown-function", slider, {{"", "[drive.motor]\non = 'shaft.angle'\nmotion = '1 + sinus(3*t)'\n"}}, {"check"}, 2,
   "there is no function 'sinus' (did you mean sin"},
  {"capital-time", slider, {{"", "[drive.motor]\non = 'shaft.angle'\nmotion = '1 + 30*T'\n"}}, {"check"}, 2,
   "there is no name 'T' (did you mean t"},
  {"sin-of-a-length", slider, {{"", "[force.f]\ntype = 'actuator'\non = 'shaft.angle'\nforce = 'sin(cylinder.position)'\n"}}, {"check"}, 2,
   "sin takes an angle or a number, and 'cylinder.position' is a length (m)"},
  {"length-and-time", slider, {{"", "[force.f]\ntype = 'actuator'\non = 'shaft.angle'\nforce = '2*(30*mm + t)'\n"}}, {"check"}, 2,
   "'30*mm' is a length (m) and 't' is a time (s), and they are added"},
  {"two-arguments", slider, {{"", "[force.f]\ntype = 'actuator'\non = 'shaft.angle'\nforce = 'if(t > 0.1, 5)'\n"}}, {"check"}, 2,
   "if takes 3 arguments, not 2"},
  {"division-by-zero", pendulum, {{"= 0.8", "= '0.8/(3 - 3)'"}}, {"check"}, 2,
   "division by 0 in '0.8/(3 - 3)'"},
  {"root-of-a-negative", pendulum, {{"= 0.8", "= 'sqrt(0.36 - 1)'"}}, {"check"}, 2,
   "sqrt of -0.64 in 'sqrt(0.36 - 1)'"},
  {"division-by-zero-later", slider, {{"", "[force.f]\ntype = 'actuator'\non = 'shaft.angle'\nforce = '1/(0.1 - t)'\n"}}, {"check"}, 0,
   "force f: division by 0 in '1/(0.1 - t)' from t = 0.1 s on"},
  {"division-by-zero-later-in-a-run", slider, {{"", "[force.f]\ntype = 'actuator'\non = 'shaft.angle'\nforce = '1/(0.1 - t)'\n"}}, {"run"}, 1,
   "warning: force f: division by 0 in '1/(0.1 - t)' from t = 0.1 s on"},
  {"dead-centre", slider, {{"'shaft.angle' = 1", "'cylinder.position' = -0.06"}}, {"run"}, 2,
   "they stand at a dead centre, where cylinder.position has no rate"},
  {"overflow-later", slider, {{"", "[force.f]\ntype = 'actuator'\non = 'shaft.angle'\nforce = 'exp(4000*t)'\n"}}, {"check"}, 0,
   "in 'exp(4000*t)' is beyond the largest number (1.8e308)"},
  {"parameters-in-a-circle", pendulum, {{"= 0.8", "= '2*half'\nhalf = 'length/2'"}}, {"check"}, 2,
   "the parameter depends on itself, by way of half, length"},
  {"table-out-of-order", slider, {{"stiffness = 'k'", "curve = {points = [[1, 5], [0, 0], [2, 7]]}"}}, {"check"}, 2,
   "x[1] = 0 of a table is not greater than x[0] = 1"},
  {"table-without-a-file", slider, {{"stiffness = 'k'", "curve = {file = 'none.csv'}"}}, {"check"}, 2,
   "the table none.csv is not there"},
  // Locked and redundant.
  {"pinned-twice", pendulum, {{"", "[joint.second]\ntype = 'revolute'\nbetween = ['ground', 'rod']\nat = [0.8, 0]\n"}}, {"run"}, 0,
   "body rod: the joints leave 0 degrees of freedom, so that nothing moves"},
  {"joint-twice", pendulum, {{"", "[joint.second]\ntype = 'revolute'\nbetween = ['ground', 'rod']\nat = [0, 0]\n"}}, {"check"}, 0,
   "2 of 2 rows (x; y) depend on pivot"},
  {"gear-that-locks", slider, {{"", "[joint.w]\ntype = 'gear'\njoints = ['shaft', 'pin']\nratio = 2\n"}}, {"check"}, 1,
   "there pin, wrist, cylinder and w are in the way"},
  {"gear-of-a-slider", slider, {{"", "[joint.w]\ntype = 'gear'\njoints = ['shaft', 'cylinder']\nratio = 2\n"}}, {"check"}, 2,
   "joint w couples the angle of cylinder, and a prismatic joint has none"},
  {"gear-of-one-joint", slider, {{"", "[joint.w]\ntype = 'gear'\njoints = ['shaft', 'shaft']\nratio = 2\n"}}, {"check"}, 2,
   "joint w couples joint shaft with itself"},
  // Plane and space.
  {"spherical-in-the-plane", pendulum, {{"'revolute'", "'spherical'"}}, {"check"}, 2,
   "joint pivot of type spherical is for spatial bodies, and connects planar ones"},
  {"cylindrical-in-the-plane", slider, {{"'prismatic'", "'cylindrical'"}}, {"check"}, 2,
   "joint cylinder of type cylindrical is for spatial bodies"},
  {"axis-in-the-plane", pendulum, {{"at = [0, 0]", "at = [0, 0]\naxis = [1, 0]"}}, {"check"}, 2,
   "pivot turns planar bodies, and its axis is (1, 0, 0); in the plane it is (0, 0, 1)"},
  {"slider-without-axis", slider, {{"axis = [1, 0]\n", ""}}, {"check"}, 2,
   "cylinder connects planar bodies, and its axis (0, 0, 1) leaves the plane"},
  {"massless-in-the-plane", pendulum, {{"mass = 1.2", "massless = true"}}, {"check"}, 2,
   "only bodies in space (dimensions = 3) may be massless"},
  {"one-moment-in-space", space, {{"[0.01, 0.01, 0.01]", "0.01"}}, {"check"}, 2,
   "body.carriage.inertia: the number 0.01 is given where a list of 3 numbers is expected"},
  {"angle-in-space", space, {{"mass = 2", "mass = 2\nangle = 0.5"}}, {"check"}, 2,
   "body.carriage.angle: angle is for bodies in the plane; in space it is turn"},
  {"up-along-the-body", space, {{"to = [0, 0, -1]", "to = [0, 0, -1]\nup = [0, 0, 1]"}}, {"check"}, 2,
   "body.bob.up: up points along the body"},
  // TOML.
  {"open-bracket", pendulum, {{"from = [0, 0]", "from = [0, 0"}}, {"check"}, 2,
   "expected comma or closing ']'"},
  {"key-twice", pendulum, {{"mass = 1.2", "mass = 1.2\nmass = 1.3"}}, {"check"}, 2,
   "cannot redefine existing floating-point 'mass'"},
  {"table-twice", pendulum, {{"", "[body.rod]\nmass = 1\n"}}, {"check"}, 2,
   "cannot redefine existing table 'body.rod'"},
  {"colon", pendulum, {{"mass =", "mass:"}}, {"check"}, 2,
   "expected '=', saw ':'"},
  {"text-for-a-list", pendulum, {{"['ground', 'rod']", "'rod'"}}, {"check"}, 2,
   "joint.pivot.between: the text 'rod' is given where a list of texts is expected"},
  {"list-for-a-number", pendulum, {{"= 1.2", "= [1.2]"}}, {"check"}, 2,
   "body.rod.mass: a list of 1 is given where a number or arithmetic in text is expected"},
  {"true-for-a-number", pendulum, {{"= 1.2", "= true"}}, {"check"}, 2,
   "body.rod.mass: true is given where a number or arithmetic in text is expected"},
  {"gravity-a-number", pendulum, {{"[0, -9.81]", "-9.81"}}, {"check"}, 2,
   "gravity: the number -9.81 is given where a list of 2 or 3 numbers is expected"},
  // The command line, and [run].
  {"set-unknown", pendulum, {}, {"run", "--set", "lenght=1"}, 2,
   "--set lenght: set-unknown.toml has no parameter of that name; it has length (did you mean length?)"},
  {"set-without-value", pendulum, {}, {"run", "--set", "length"}, 2,
   "write it as --set name=value"},
  {"set-no-length", pendulum, {}, {"check", "--set", "length=0"}, 2,
   "from and to are the same point"},
  {"set-beside-a-joint", pendulum, {{"from = [0, 0]\nto = ['length', 0]", "at = ['length/2', 0]\nangle = 'tilt'"}, {"= 0.8", "= 0.8\ntilt = 0"}, {"'link'", "'link', length = 'length'"}}, {"check", "--set", "tilt=0.3"}, 0,
   "--set moves rod, and joint pivot, given by a place of the world that stays, sits elsewhere on it now"},
  {"rtol-0", pendulum, {}, {"run", "--rtol", "0"}, 2,
   "--rtol is 0 (must be a number above 0)"},
  {"rtol-2", pendulum, {}, {"run", "--rtol", "2"}, 2,
   "--rtol is 2 (must be below 1)"},
  {"atol-huge", pendulum, {}, {"run", "--atol", "1e308"}, 2,
   "--atol is 1e+308 (must be below 1e+06"},
  {"t-end-negative", pendulum, {}, {"run", "--t-end", "-1"}, 2,
   "--t-end is -1 (must not lie before the start, 0)"},
  {"t-end-of-0", pendulum, {{"t_end = 1", "t_end = 0"}}, {"run"}, 2,
   "run.t_end: t_end is 0 (must be above 0)"},
  {"step-of-0", pendulum, {}, {"run", "--step", "0"}, 2,
   "--step is 0 (must be a number above 0)"},
  {"step-and-tolerance", pendulum, {}, {"run", "--step", "0.01", "--rtol", "1e-6"}, 2,
   "--step fixes the step, so that --rtol and --atol would be ignored"},
  {"step-and-tolerance-in-the-file", pendulum, {{"t_end = 1", "t_end = 1\nstep = 0.01\nrtol = 1e-6"}}, {"run"}, 2,
   "run.step: step fixes the step, so that rtol and atol would be ignored"},
  {"no-step", pendulum, {}, {"run", "--integrator", "rk4"}, 2,
   "rk4 has no error estimate, so that it cannot choose its steps; give --step H"},
  {"unknown-formulation", pendulum, {}, {"run", "--formulation", "baumgart"}, 2,
   "there is no formulation 'baumgart'"},
  {"unknown-integrator", pendulum, {}, {"run", "--integrator", "ode45"}, 2,
   "there is no integrator 'ode45'"},
  {"unknown-stabilizer", pendulum, {}, {"run", "--stabilizer", "on"}, 2,
   "there is no stabilizer 'on'"},
  {"unknown-formulation-in-the-file", pendulum, {{"t_end = 1", "t_end = 1\nformulation = 'bdf'"}}, {"run"}, 2,
   "unknown-formulation-in-the-file.toml: [run]: there is no formulation 'bdf' (bdf is the name of an integrator)"},
  {"rtol-in-the-file", pendulum, {{"t_end = 1", "t_end = 1\nrtol = 2"}}, {"run"}, 2,
   "rtol-in-the-file.toml: [run]: rtol is 2 (must be below 1)"},
  {"unknown-plot", pendulum, {}, {"run", "--plot", "pivot.omega"}, 2,
   "--plot knows no 'pivot.omega'; there are pivot.angle, pivot.angle'"},
  {"unknown-option", pendulum, {}, {"run", "--formulation", "baumgarte:gama=5"}, 2,
   "baumgarte has no option 'gama'"},
  {"unknown-event", pendulum, {}, {"run", "--event", "rod.height:value=0"}, 2,
   "there is no output 'rod.height'; rod has x, y, angle"},
  {"event-of-a-size", pendulum, {}, {"run", "--event", "pivot.force:value=0"}, 2,
   "--event pivot.force is the size of a vector of several components, which does not pass 0"},
  {"out-there-already", pendulum, {}, {"run", "--out", "../work"}, 2,
   "is there already, with files in it, and is not written over"},
  {"flag-of-run", pendulum, {}, {"check", "--t-end", "5"}, 2,
   "check has no flag '--t-end'"},
  {"misspelt-flag", pendulum, {}, {"run", "--tend", "5"}, 2,
   "run has no flag '--tend' (did you mean --t-end?)"},
};
// clang-format on

// The text without its line breaks and indentation: answers are folded at 80 columns.
std::string unfolded(const std::string& text) {
  std::istringstream words(text);
  std::string result, word;
  while (words >> word) result += (result.empty() ? "" : " ") + word;
  return result;
}

std::string edited(std::string text, const Edits& edits) {
  for (const auto& [old, replacement] : edits) {
    const std::size_t place = old.empty() ? text.size() : text.find(old);
    if (place == std::string::npos) {
      ADD_FAILURE() << "the model has no " << old;
      continue;
    }
    text.replace(place, old.size(), replacement);
  }
  return text;
}

TEST_F(DeliberateMistakes, AreAnsweredByTheirCause) {
  // Unedited, the models have nothing wrong: what is answered below is the mistake.
  for (const char* model : {pendulum, slider, bars, space}) {
    std::ofstream(folder() / "work" / "right.toml") << model;
    const Outcome outcome = run({"check", "right.toml"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    for (const char* word : {"error", "warning", "note"})
      EXPECT_EQ(outcome.out.find(word), std::string::npos) << outcome.out;
  }
  for (const Mistake& mistake : mistakes) {
    SCOPED_TRACE(mistake.name);
    const std::string file = mistake.name + ".toml";
    std::ofstream(folder() / "work" / file) << edited(mistake.model, mistake.edits);
    Words command = mistake.words;
    command.insert(command.begin() + 1, file);
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.status, mistake.status) << outcome.out << outcome.err;
    const std::string said = unfolded(outcome.out + "\n" + outcome.err);
    EXPECT_NE(said.find(mistake.answer), std::string::npos) << mistake.answer << "\nwas expected in\n"
                                                            << said;
  }
}

}  // namespace
}  // namespace driftless::cli
