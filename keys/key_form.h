/*
 * key_form.h - keys of records that have a form of their own
 *
 * For key_of() alone.  Those that take no key add parts to the scratch.
 */
#ifndef KEY_FORM_H
#define KEY_FORM_H

#include "key.h"

enum key_result key_form_json(const struct key_spec *spec, struct view record,
                              struct key_scratch *scratch);
enum key_result key_form_csv(const struct key_spec *spec, struct view record,
                             struct key_scratch *scratch);
enum key_result key_form_without(const struct key_spec *spec,
                                 struct view record,
                                 struct key_scratch *scratch, struct view *key);
enum key_result key_form_regex(const struct key_spec *spec, struct view record,
                               struct key_scratch *scratch);

#endif
