/*
 * json_node.h - finds the child of a node, by name or by index
 */
#ifndef JSON_NODE_H
#define JSON_NODE_H

#include <string.h>

#include "json_path.h"
#include "json_text.h"

static inline bool json_node_is(const struct json_path_node *node,
                                struct view raw, bool escaped)
{
    if (!node->name.at)
        return false;
    if (escaped)
        return json_decodes_to(raw, node->name);
    return node->name.len == raw.len &&
           memcmp(node->name.at, raw.at, raw.len) == 0;
}

/* Returns the child of a node with a name, as written between its quotes,
   or 0. */
static inline uint16_t json_node_named(const struct json_path *tree,
                                       uint16_t node, struct view raw,
                                       bool escaped)
{
    uint16_t child = tree->node[node].child;

    while (child && !json_node_is(&tree->node[child], raw, escaped))
        child = tree->node[child].next;
    return child;
}

/* Returns the child with an index, or 0. */
static inline uint16_t json_node_numbered(const struct json_path *tree,
                                          uint16_t node, uint64_t index)
{
    uint16_t child = tree->node[node].child;

    while (child &&
           (tree->node[child].name.at || tree->node[child].index != index))
        child = tree->node[child].next;
    return child;
}

#endif
