// SPDX-License-Identifier: GPL-2.0
#include "report/flame.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/shown.h"
#include "base/utf8.h"

#define WIDTH		1200	/* of the picture, in pixels */
#define SIDE		10	/* left and right of the graph */
#define ROW		17	/* height of a frame, with the gap below it */
#define ABOVE		44	/* for the title and what is pointed at */
#define BELOW		12
#define PLOT		(WIDTH - 2 * SIDE)
#define NARROWEST	0.1
#define CHARACTER		7	/* width that a character takes, about */
#define GAP		3	/* left and right of a name */

/**
 * struct frame - frame whose last path was not met yet
 * @name: name
 * @begin: weights of all paths before its first one
 */
struct frame {
	const char *name;
	uint64_t begin;
};

/**
 * struct drawing - graph that is being drawn
 * @out: the file
 * @frames: open frames, the outermost one first; the first is all paths
 * @nr: number of open frames
 * @depth: most frames that are open at once
 * @total: weight of all paths
 * @unit: of weights
 */
struct drawing {
	struct buf *out;
	struct frame *frames;
	size_t nr;
	size_t depth;
	uint64_t total;
	const char *unit;
};

/* ---- text ---- */

/* Names come from symbols and from tasks; those of keys have their escapes already. */
static void put_xml(struct buf *out, const char *s)
{
	shown_xml(out, s, SHOWN_BACKSLASH);
}

/* The name as far as it fits into @pixels; the script does the same after a zoom. */
static void put_label(struct buf *out, const char *name, double pixels)
{
	size_t room = pixels < 2 * GAP ? 0 : (pixels - 2 * GAP) / CHARACTER;
	struct buf cut = BUF_INIT;
	uint32_t c;
	size_t at = 0, shown = 0, length = strlen(name);

	if (room < 3)
		return;
	while (at < length && shown < room - (length > room ? 2 : 0)) {
		size_t n = utf8_get(name + at, length - at, &c);

		at += n ? n : 1;
		shown++;
	}
	buf_put(&cut, name, at);
	put_xml(out, buf_str(&cut));
	if (at < length)
		buf_puts(out, "..");
	out->failed |= cut.failed;
	buf_deinit(&cut);
}

/* A warm colour that a name has in all graphs. */
static unsigned int colour_of(const char *name)
{
	uint32_t h = 2166136261u;

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 16777619u;
	return (215 + h % 40) << 16 | (100 + (h >> 8) % 130) << 8 | (40 + (h >> 16) % 60);
}

/* ---- frames ---- */

static double pixels_of(const struct drawing *w, uint64_t weight)
{
	return w->total ? PLOT * ((double)weight / (double)w->total) : 0;
}

/* The last open frame ends at @end. */
static void close_frame(struct drawing *w, uint64_t end)
{
	const struct frame *f = &w->frames[--w->nr];
	uint64_t weight = end - f->begin;
	double x = SIDE + pixels_of(w, f->begin), wide = pixels_of(w, weight);
	size_t y = ABOVE + (w->depth - w->nr - 1) * ROW;

	if (wide < NARROWEST)
		return;
	buf_puts(w->out, "<g class=\"f\"><title>");
	put_xml(w->out, f->name);
	buf_printf(w->out, " (%llu ", (unsigned long long)weight);
	put_xml(w->out, w->unit);
	buf_printf(w->out, ", %.2f%%)</title><rect x=\"%.2f\" y=\"%zu\" width=\"%.2f\" height=\"%d\" fill=\"#%06x\"/><text x=\"%.2f\" y=\"%zu\">",
		   100 * wide / PLOT, x, y, wide, ROW - 1, colour_of(f->name),
		   x + GAP, y + 12);
	put_label(w->out, f->name, wide);
	buf_puts(w->out, "</text></g>\n");
}

/* Keep the frames that a path shares with the one before it, and open its others. */
static void draw_path(struct drawing *w, const struct path *p, uint64_t begin)
{
	const char *name = p->text;
	size_t same = 0;

	for (; same < p->nr && same + 1 < w->nr; same++) {
		if (strcmp(name, w->frames[same + 1].name))
			break;
		name += strlen(name) + 1;
	}
	while (w->nr > same + 1)
		close_frame(w, begin);
	for (; same < p->nr; same++) {
		w->frames[w->nr++] = (struct frame){ name, begin };
		name += strlen(name) + 1;
	}
}

static void draw_paths(struct drawing *w, const struct paths *p)
{
	uint64_t begin = 0;

	w->frames[w->nr++] = (struct frame){ "all", 0 };
	for (size_t i = 0; i < p->nr; i++) {
		draw_path(w, &p->path[i], begin);
		begin += p->path[i].weight;
	}
	while (w->nr)
		close_frame(w, begin);
}

/* ---- the file ---- */

static const char style[] =
	"<style>\n"
	"text { font: 12px monospace; fill: #000; }\n"
	".f text { pointer-events: none; }\n"
	".f rect { cursor: pointer; rx: 2px; }\n"
	".f:hover rect { stroke: #000; }\n"
	".found rect { fill: #c6f; }\n"
	".parent { opacity: 0.5; }\n"
	".gone { display: none; }\n"
	"#title { font-size: 17px; text-anchor: middle; }\n"
	".link { cursor: pointer; text-decoration: underline; }\n"
	"#share { text-anchor: end; }\n"
	"</style>\n";

/*
 * zoom(): the frame becomes as wide as the graph, those that contain it too, and those
 * beside it are hidden. find(): frames whose names match; only the outermost ones
 * add to the share, so that nothing counts twice.
 */
static const char script[] =
	"<script><![CDATA[\n"
	"'use strict';\n"
	"const SIDE = 10, PLOT = 1180, CHARACTER = 7, GAP = 3;\n"
	"const svg = document.documentElement.tagName === 'svg' ?\n"
	"\tdocument.documentElement : document.querySelector('svg');\n"
	"const at = id => svg.querySelector('#' + id);\n"
	"const frames = [...svg.querySelectorAll('.f')].map(g => {\n"
	"\tconst rect = g.querySelector('rect'), number = a => +rect.getAttribute(a);\n"
	"\tconst title = g.querySelector('title').textContent;\n"
	"\treturn { g, rect, text: g.querySelector('text'), title,\n"
	"\t\t name: title.slice(0, title.lastIndexOf(' (')),\n"
	"\t\t x: number('x'), y: number('y'), wide: number('width') };\n"
	"});\n"
	"function place(f, x, wide) {\n"
	"\tconst room = Math.floor((wide - 2 * GAP) / CHARACTER), all = [...f.name];\n"
	"\tf.rect.setAttribute('x', x);\n"
	"\tf.rect.setAttribute('width', Math.max(wide, 0));\n"
	"\tf.text.setAttribute('x', x + GAP);\n"
	"\tf.text.textContent = room < 3 ? '' : all.length <= room ? f.name :\n"
	"\t\tall.slice(0, room - 2).join('') + '..';\n"
	"}\n"
	"function zoom(to) {\n"
	"\tconst near = 0.01, end = to.x + to.wide, scale = PLOT / to.wide;\n"
	"\tfor (const f of frames) {\n"
	"\t\tconst inside = f.y <= to.y && f.x >= to.x - near && f.x + f.wide <= end + near;\n"
	"\t\tconst around = f.y > to.y && f.x <= to.x + near && f.x + f.wide >= end - near;\n"
	"\t\tf.g.classList.toggle('gone', !inside && !around);\n"
	"\t\tf.g.classList.toggle('parent', around);\n"
	"\t\tif (around)\n"
	"\t\t\tplace(f, SIDE, PLOT);\n"
	"\t\telse if (inside)\n"
	"\t\t\tplace(f, SIDE + (f.x - to.x) * scale, f.wide * scale);\n"
	"\t}\n"
	"\tat('reset').classList.toggle('gone', to === root);\n"
	"}\n"
	"function find(what) {\n"
	"\tlet match = () => false, share = 0;\n"
	"\ttry {\n"
	"\t\tconst re = new RegExp(what);\n"
	"\t\tif (what)\n"
	"\t\t\tmatch = f => re.test(f.name);\n"
	"\t} catch (error) {\n"
	"\t\tmatch = f => f.name.includes(what);\n"
	"\t}\n"
	"\tconst hits = frames.filter(match);\n"
	"\tfor (const f of frames)\n"
	"\t\tf.g.classList.toggle('found', hits.includes(f));\n"
	"\tlet end = 0;\n"
	"\tfor (const f of hits.sort((a, b) => a.x - b.x || b.y - a.y)) {\n"
	"\t\tif (f.x + f.wide <= end + 0.005)\n"
	"\t\t\tcontinue;\n"
	"\t\tshare += f.wide;\n"
	"\t\tend = f.x + f.wide;\n"
	"\t}\n"
	"\tat('share').textContent = what ? 'found: ' + (100 * share / PLOT).toFixed(2) + '%' : '';\n"
	"}\n"
	"const root = frames.reduce((a, b) => b.y > a.y ? b : a, { y: -1, x: 0, wide: PLOT });\n"
	"for (const f of frames) {\n"
	"\tf.g.addEventListener('click', () => zoom(f));\n"
	"\tf.g.addEventListener('mouseover', () => { at('what').textContent = f.title; });\n"
	"\tf.g.addEventListener('mouseout', () => { at('what').textContent = ''; });\n"
	"}\n"
	"const ask = () => { const what = prompt('Function (regular expression):', '');\n"
	"\tif (what !== null) find(what); };\n"
	"at('search').addEventListener('click', ask);\n"
	"at('reset').addEventListener('click', () => zoom(root));\n"
	"document.addEventListener('keydown', event => {\n"
	"\tif ((event.ctrlKey && event.key === 'f') || event.key === 'F3' || event.key === '/') {\n"
	"\t\tevent.preventDefault();\n"
	"\t\task();\n"
	"\t} else if (event.key === 'Escape') {\n"
	"\t\tfind('');\n"
	"\t\tzoom(root);\n"
	"\t}\n"
	"});\n"
	"]]></script>\n";

static void put_head(struct drawing *w, const char *title)
{
	size_t height = ABOVE + w->depth * ROW + BELOW;

	buf_printf(w->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		   "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%d\" height=\"%zu\" viewBox=\"0 0 %d %zu\">\n",
		   WIDTH, height, WIDTH, height);
	buf_puts(w->out, style);
	buf_printf(w->out, "<rect width=\"%d\" height=\"%zu\" fill=\"#fff\"/>\n<text id=\"title\" x=\"%d\" y=\"18\">",
		   WIDTH, height, WIDTH / 2);
	put_xml(w->out, title);
	buf_printf(w->out, "</text>\n"
		   "<text id=\"reset\" class=\"link gone\" x=\"%d\" y=\"18\">reset zoom</text>\n"
		   "<text id=\"search\" class=\"link\" x=\"%d\" y=\"18\">search</text>\n"
		   "<text id=\"what\" x=\"%d\" y=\"36\"></text>\n"
		   "<text id=\"share\" x=\"%d\" y=\"36\"></text>\n",
		   SIDE, WIDTH - SIDE - 6 * CHARACTER, SIDE, WIDTH - SIDE);
}

int flame_svg(struct paths *p, const char *title, const char *unit,
	      struct buf *out)
{
	struct drawing w = { .out = out, .unit = unit, .depth = 1 };

	for (size_t i = 0; i < p->nr; i++) {
		if (__builtin_add_overflow(w.total, p->path[i].weight, &w.total))
			return -EOVERFLOW;
		if (p->path[i].nr + 1 > w.depth)
			w.depth = p->path[i].nr + 1;
	}
	w.frames = calloc(w.depth, sizeof(*w.frames));
	if (!w.frames)
		return -ENOMEM;
	paths_sort(p);
	put_head(&w, title);
	draw_paths(&w, p);
	buf_puts(out, script);
	buf_puts(out, "</svg>\n");
	free(w.frames);
	return out->failed ? -ENOMEM : 0;
}
